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
        var changes: [Change] = []
        var unreadable: [Unreadable] = []
        modules: for module in releases.modules where module.row.api.version != nil {
            guard let api = tree.package(module.row.module + "Api"), api.role == .api else { continue }
            let folders = api.mainTargets.map(\.folder)
            for base in module.apiBases where try !releases.changed(since: base.commit, in: folders).isEmpty {
                let old = try Self.files(in: folders, at: base.commit, releases.git)
                // An Api that was not there yet has nothing that could break.
                guard !old.isEmpty else { continue }
                let new = api.mainTargets.flatMap(\.files).map { tree.files[$0].path }.reduce(
                    into: ApiSurface.Files()
                ) { files, path in
                    files[path] = FileManager.default.contents(atPath: tree.root + "/" + path)
                }
                let surface: ApiSurface
                do {
                    surface = try ApiSurface.compare(module: api.name, old: old, new: new)
                } catch let error as ApiSurface.DoesNotCompile {
                    unreadable.append(Unreadable(api: api, error: error))
                    continue modules
                }
                changes.append(Change(row: module.row, api: api, base: base, surface: surface))
            }
        }
        (self.changes, self.unreadable) = (changes, unreadable)
    }

    private static func files(
        in folders: [String], at commit: String, _ git: GitRepository
    ) throws -> ApiSurface.Files {
        let paths = try folders.flatMap { try git.files(below: $0, at: commit) }.filter {
            $0.hasSuffix(".swift")
        }
        let contents = try git.contents(paths.map { (commit, $0) })
        return Dictionary(zip(paths, contents).compactMap { path, data in data.map { (path, $0) } }) {
            first, _ in first
        }
    }
}
