import Foundation
import ModuleTree
import ModuleVersions

struct SurfaceChange: Sendable {
    let release: Releases.Package
    let package: LocalPackage
    let base: Releases.Base
    let surface: ApiSurface.Changes

    /// The step that the difference needs; nil if callers see no difference. Before 1.0.0, a minor step may break
    /// callers.
    var step: VersionStep? {
        guard surface.isChanged else { return nil }
        return surface.breaks.isEmpty || base.version.major == 0 ? .minor : .major
    }

    /// Whether the version has risen by at least ``step``.
    var isRaised: Bool {
        let (now, before) = (release.version, base.version)
        if now.major > before.major { return true }
        return switch step {
        case .major: false
        case .minor: now.major == before.major && now.minor > before.minor
        case .patch, nil: true
        }
    }

    /// The differences between these packages and their releases, for packages whose files changed.
    static func all(
        of packages: [Releases.Package], _ releases: Releases, _ tree: Tree
    ) throws -> [SurfaceChange] {
        try pasts(packages, releases, tree).map { past in
            SurfaceChange(
                release: past.release, package: past.package, base: past.base,
                surface: try ApiSurface(module: past.package.name, past.old)
                    .changes(to: ApiSurface(module: past.package.name, past.new)))
        }
    }

    /// A package's files at a release and now.
    private struct Past {
        let release: Releases.Package
        let package: LocalPackage
        let base: Releases.Base
        let new: [String: Data]
        var old: [String: Data]
        /// The changed files that existed at the release. Their contents have to be added to `old`.
        let changed: [(path: String, blob: String)]
    }

    /// The packages whose files changed since a release. One git process reads the old contents for all of them.
    private static func pasts(
        _ packages: [Releases.Package], _ releases: Releases, _ tree: Tree
    ) throws -> [Past] {
        var pasts: [Past] = []
        for release in packages {
            guard let package = tree.package(release.name), package.role == .api || package.isLibrary
            else { continue }
            let folders = package.mainTargets.map(\.folder)
            let compiled = Set(package.sources.map(\.path))
            lazy var files = files(below: folders, tree)
            for base in release.bases {
                let changes = try releases.changed(since: base.commit, in: folders)
                if changes.isEmpty { continue }
                let changed = Set(changes.map(\.path))
                pasts.append(
                    Past(
                        release: release, package: package, base: base,
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
        // A package without old files is new and cannot break callers.
        return pasts.filter { !$0.old.isEmpty }
    }

    private static func files(below folders: [String], _ tree: Tree) -> [String: Data] {
        tree.files.map(\.path).filter { path in folders.contains { path.hasPrefix($0 + "/") } }
            .reduce(into: [:]) { files, path in
                files[path] = FileManager.default.contents(atPath: tree.root + "/" + path)
            }
    }
}
