import Foundation
import ModuleTree
import ModuleVersions

/// How each Api's surface differs from its releases. Made once for the rules that ask.
struct ApiChanges: Sendable {
    struct Change: Sendable {
        let row: VersionsFile.Row
        let api: LocalPackage
        let base: Releases.Base
        let surface: ApiSurface
    }

    /// An Api that does not compile alone, so that nobody can say how it changed.
    struct Unreadable: Sendable {
        let api: LocalPackage
        let error: ApiSurface.DoesNotCompile
    }

    let changes: [Change]
    let unreadable: [Unreadable]

    /// No Api has changed.
    init() { (changes, unreadable) = ([], []) }

    init(_ releases: Releases, _ tree: Tree) throws {
        let pasts = try Self.pasts(releases, tree)
        var changes: [Change] = []
        var unreadable: [Unreadable] = []
        for past in pasts where !unreadable.contains(where: { $0.api.name == past.api.name }) {
            do {
                let surface = try ApiSurface.compare(module: past.api.name, old: past.old, new: past.new)
                changes.append(Change(row: past.row, api: past.api, base: past.base, surface: surface))
            } catch let error as ApiSurface.DoesNotCompile {
                unreadable.append(Unreadable(api: past.api, error: error))
            }
        }
        (self.changes, self.unreadable) = (changes, unreadable)
    }

    /// An Api's files, as they were and as they are.
    private struct Past {
        let row: VersionsFile.Row
        let api: LocalPackage
        let base: Releases.Base
        let new: ApiSurface.Files
        var old: ApiSurface.Files
        /// What `old` still lacks: the contents at the base of the files that have changed since.
        let changed: [(path: String, blob: GitRepository.Blob)]
    }

    /// The Apis that are not what they were at a release. Git is asked once for all of them.
    private static func pasts(_ releases: Releases, _ tree: Tree) throws -> [Past] {
        var pasts: [Past] = []
        for module in releases.modules where module.row.api.version != nil {
            guard let api = tree.package(module.row.module + "Api"), api.role == .api else { continue }
            let folders = api.mainTargets.map(\.folder)
            let compiled = Set(api.mainTargets.flatMap(\.files).map { tree.files[$0].path })
            lazy var files = files(below: folders, tree)
            for base in module.apiBases {
                let changes = try releases.changed(since: base.commit, in: folders)
                if changes.isEmpty { continue }
                let changed = Set(changes.map(\.path))
                pasts.append(
                    Past(
                        row: module.row, api: api, base: base,
                        new: files.filter { compiled.contains($0.key) },
                        // What the manifest leaves out now may have been there.
                        old: files.filter { !changed.contains($0.key) },
                        changed: changes.compactMap { change in
                            change.old.flatMap { change.path.hasSuffix(".swift") ? (change.path, $0) : nil }
                        }))
            }
        }
        var contents = try releases.git.contents(pasts.flatMap { $0.changed.map(\.blob) })[...]
        for index in pasts.indices {
            for (path, _) in pasts[index].changed { pasts[index].old[path] = contents.removeFirst() }
        }
        // An Api that was not there yet has nothing that could break.
        return pasts.filter { !$0.old.isEmpty }
    }

    private static func files(below folders: [String], _ tree: Tree) -> ApiSurface.Files {
        tree.files.map(\.path).filter { path in folders.contains { path.hasPrefix($0 + "/") } }
            .reduce(into: [:]) { files, path in
                files[path] = FileManager.default.contents(atPath: tree.root + "/" + path)
            }
    }
}
