import Foundation
import ModuleTree
import ModuleVersions

/// A change of a package's public declarations since one of its releases.
struct SurfaceChange: Sendable {
    let release: Releases.Package
    let package: LocalPackage
    let base: Releases.Base
    let surface: ApiSurface.Changes

    /// The step that the change needs. Before 1.0.0, a minor step may break callers.
    var step: VersionStep { surface.breaks.isEmpty || base.version.major == 0 ? .minor : .major }

    /// What callers see of the change.
    var effects: [String] {
        surface.breaks.isEmpty ? ["something was added or deprecated"] : surface.breaks
    }

    /// Whether the version has risen by at least ``step``.
    var isRaised: Bool {
        let (now, before) = (release.version, base.version)
        return now.major > before.major
            || step == .minor && now.major == before.major && now.minor > before.minor
    }

    /// The changes of these packages since their releases that callers see.
    static func all(
        of packages: [Releases.Package], _ releases: Releases, _ tree: Tree
    ) throws -> [SurfaceChange] {
        typealias Past = (
            release: Releases.Package, package: LocalPackage, base: Releases.Base,
            changes: [GitRepository.Change]
        )
        var pasts: [Past] = []
        for release in packages {
            guard let package = tree.package(release.name), package.role == .api || package.isLibrary
            else { continue }
            for base in release.bases {
                let changes = try releases.changed(in: package, since: base).filter {
                    $0.path.hasSuffix(".swift")
                }
                if !changes.isEmpty { pasts.append((release, package, base, changes)) }
            }
        }
        // One git process reads the old contents for all packages.
        let blobs = pasts.flatMap { $0.changes.compactMap(\.old) }
        let contents = Dictionary(zip(blobs, try releases.git.contents(blobs))) { first, _ in first }
        return try pasts.compactMap { release, package, base, changes in
            let folders = package.mainTargets.map { $0.folder + "/" }
            let files = tree.contents(
                of: tree.files.map(\.path).filter { path in folders.contains(where: path.hasPrefix) })
            let compiled = Set(package.sources.map(\.path))
            // Includes files that the manifest excludes now, because it may have included them at the release.
            var old = files
            for change in changes { old[change.path] = change.old.flatMap { contents[$0] ?? nil } }
            // A package without old files is new and cannot break callers.
            if old.isEmpty { return nil }
            let surface = try ApiSurface(module: package.name, old).changes(
                to: ApiSurface(module: package.name, files.filter { compiled.contains($0.key) }))
            return surface.isChanged
                ? SurfaceChange(release: release, package: package, base: base, surface: surface) : nil
        }
    }
}
