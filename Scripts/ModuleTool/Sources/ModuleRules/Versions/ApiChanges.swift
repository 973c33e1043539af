import Foundation
import ModuleTree
import ModuleVersions

/// The differences between each Api's surface and its releases, computed once for all rules.
struct ApiChanges: Sendable {
    struct Change: Sendable {
        let row: VersionsFile.Row
        let api: LocalPackage
        let base: Releases.Base
        let surface: ApiSurface.Changes
    }

    let changes: [Change]

    /// Creates an instance without changes.
    init() { changes = [] }

    init(_ releases: Releases, _ tree: Tree) throws {
        changes = try Self.pasts(releases, tree).map { past in
            let (old, new) = (
                ApiSurface(module: past.api.name, past.old), ApiSurface(module: past.api.name, past.new)
            )
            return Change(row: past.row, api: past.api, base: past.base, surface: old.changes(to: new))
        }
    }

    /// An Api's files at a release and now.
    private struct Past {
        let row: VersionsFile.Row
        let api: LocalPackage
        let base: Releases.Base
        let new: [String: Data]
        var old: [String: Data]
        /// The changed files that existed at the release. Their contents have to be added to `old`.
        let changed: [(path: String, blob: GitRepository.Blob)]
    }

    /// The Apis whose files changed since a release. One git process reads the old contents for all of them.
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
                        // Includes files that the manifest excludes now, because it may have included them at
                        // the release.
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
        // An Api without old files is new and cannot break callers.
        return pasts.filter { !$0.old.isEmpty }
    }

    private static func files(below folders: [String], _ tree: Tree) -> [String: Data] {
        tree.files.map(\.path).filter { path in folders.contains { path.hasPrefix($0 + "/") } }
            .reduce(into: [:]) { files, path in
                files[path] = FileManager.default.contents(atPath: tree.root + "/" + path)
            }
    }
}
