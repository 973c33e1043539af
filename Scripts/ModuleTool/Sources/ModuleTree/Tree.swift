import Foundation
import ModuleKit

/// A tree of local packages, read once and shared by all rules.
package struct Tree: Sendable {
    package let root: String
    /// The tree's display name.
    package let name: String

    /// The contents of `.modules.yml`; nil if the tree has no such file and therefore neither layers nor pairs.
    package let configuration: Configuration?

    package let packages: [LocalPackage]
    /// The manifests that cannot be read. If there are any, rules that need the whole tree do not run.
    package let unread: [UnreadManifest]
    package let files: [SourceFile]

    /// The files and folders, without the excluded ones.
    package let listing: FileListing

    package let cache: FactCache
    /// The manifests of ``packages``.
    let manifests: [ManifestFile]
    /// The new contents of files that an edit is about to change, by path.
    private let edited: [String: String]

    private let byIdentity: [String: Int]
    private let byPath: [String: Int]
    /// The packages that declare a module. A tree with several apps may have several modules with the
    /// same name.
    private let owners: [String: [Int]]
    /// For each package, the local packages that its manifest depends on, by identity and alias.
    private let reached: [[String: Int]]

    init(
        root: String, name: String, configuration: Configuration?, packages: [LocalPackage],
        manifests: [ManifestFile], unread: [UnreadManifest], files: [SourceFile], listing: FileListing,
        cache: FactCache, edited: [String: String]
    ) {
        (self.root, self.name, self.configuration, self.cache) = (root, name, configuration, cache)
        (self.manifests, self.edited) = (manifests, edited)
        (self.packages, self.unread, self.files, self.listing) = (packages, unread, files, listing)
        var byIdentity: [String: Int] = [:]
        var owners: [String: [Int]] = [:]
        for (index, package) in packages.enumerated() {
            if byIdentity[package.name.lowercased()] == nil { byIdentity[package.name.lowercased()] = index }
            // The root also declares the tests of all packages, but a test module belongs to its own package.
            let own = package.targets.filter { !package.path.isEmpty || $0.kind != .test }
            for module in Set(own.map(\.module)) { owners[module, default: []].append(index) }
        }
        var byPath = Dictionary(zip(packages.map(\.path), packages.indices)) { first, _ in first }
        for app in configuration?.apps ?? [] {
            if let sources = app.sources { byPath[sources] = byPath[sources] ?? byPath[app.folder] }
        }
        (self.byIdentity, self.owners, self.byPath) = (byIdentity, owners, byPath)
        reached = packages.map { package in
            var reached: [String: Int] = [:]
            for dependency in package.manifest.dependencies {
                guard let path = dependency.path else { continue }
                // The path takes precedence, because two apps in one tree may each have a `Core`.
                let folder = PathText.relative(path, from: package.path, in: root)
                var index = folder.flatMap { byPath[$0] }
                // A package elsewhere is another one, even if a folder in the tree has its name.
                if index == nil, !Self.hasPackage(PathText.join(PathText.join(root, package.path), path)) {
                    index = byIdentity[dependency.identity]
                }
                reached[dependency.identity] = reached[dependency.identity] ?? index
                if let alias = dependency.alias { reached[alias.lowercased()] = index }
            }
            return reached
        }
    }

    private static func hasPackage(_ folder: String) -> Bool {
        FileManager.default.fileExists(atPath: folder + "/Package.swift")
    }

    /// The contents of a file, with the edits with which the tree was read; nil if there is no such file or it cannot be
    /// read.
    package func contents(of path: String) -> Data? {
        edited[path].map { Data($0.utf8) } ?? FileManager.default.contents(atPath: root + "/" + path)
    }

    /// The symbolic links in a package, outer ones first.
    package func links(in package: LocalPackage) -> [FileListing.Link] {
        listing.links.filter { package.path.isEmpty || $0.0.isInside(package.path) }.sorted { $0.0 < $1.0 }
    }

    /// The local package with this identity or name, ignoring case.
    package func package(_ identity: String) -> LocalPackage? {
        byIdentity[identity.lowercased()].map { packages[$0] }
    }

    /// The local package that a dependency in a package's manifest refers to; nil for a remote package.
    package func package(
        reachedBy dependency: Manifest.Dependency, of package: LocalPackage
    ) -> LocalPackage? {
        guard dependency.path != nil else { return nil }
        return reached[package.index][dependency.alias?.lowercased() ?? dependency.identity].map {
            packages[$0]
        }
    }

    /// Whether the manifest of a package declares a dependency on another package of the tree.
    package func declares(_ package: LocalPackage, _ other: LocalPackage) -> Bool {
        package.manifest.dependencies.contains {
            self.package(reachedBy: $0, of: package)?.path == other.path
        }
    }

    /// The local package that a package's targets refer to by an identity or a name, ignoring case. The package's
    /// dependencies take precedence.
    package func package(_ identity: String, for package: LocalPackage) -> LocalPackage? {
        reached[package.index][identity.lowercased()].map { packages[$0] } ?? self.package(identity)
    }

    /// The folder that a path in a package's manifest leads to, relative to the root; nil if it is outside the tree.
    package func folder(_ path: String, from package: LocalPackage) -> String? {
        PathText.relative(path, from: package.path, in: root)
    }

    package func package(in folder: String) -> LocalPackage? { byPath[folder].map { packages[$0] } }

    /// A local package that declares a module.
    package func package(ofModule name: String) -> LocalPackage? { owners[name]?.first.map { packages[$0] } }

    /// The local package that a package's sources refer to by the name of a module. If several declare the module, the
    /// package itself comes first, then its dependencies.
    package func package(ofModule name: String, for package: LocalPackage) -> LocalPackage? {
        guard let owners = owners[name] else { return nil }
        if owners.contains(package.index) { return package }
        let near = reached[package.index].values
        return packages[owners.count > 1 ? owners.first(where: near.contains) ?? owners[0] : owners[0]]
    }

    /// The name by which manifests refer to a package: the last component of its folder.
    package func identity(of package: LocalPackage) -> String {
        PathText.split(package.path.isEmpty ? root : package.path).name
    }

    /// Whether a target stands for the sources of an Xcode project's app. No manifest tells what such an app links.
    package func isOfProject(_ target: LocalTarget) -> Bool {
        names.apps.contains { $0.sources == target.folder }
    }

    package func owner(ofFolder folder: String) -> LocalPackage? {
        var path = folder
        while true {
            if let index = byPath[path] { return packages[index] }
            guard !path.isEmpty else { return nil }
            path = PathText.split(path).folder
        }
    }

    /// The manifests that declare ten libraries or more, each with their number. Most rules look at packages, so they see
    /// little of such a package.
    package var largeManifests: [(path: String, count: Int)] {
        packages.map { package in
            (package.manifestPath, package.targets.count { $0.kind == .regular })
        }.filter { $0.1 >= 10 }
    }

    /// Refuses a tree in which the root's manifest cannot be read, or one on which another package depends. A command that
    /// leaves out such a package would also leave out what depends on it.
    package func refuseUnreadDependencies() throws(Diagnostic) {
        let needed = Set(
            packages.flatMap { package in
                package.manifest.dependencies.compactMap(\.path).compactMap { folder($0, from: package) }
            })
        guard let lost = unread.first(where: { $0.folder.isEmpty || needed.contains($0.folder) }) else {
            return
        }
        throw lost.error(
            why: lost.folder.isEmpty
                ? "It is the manifest of the tree's root." : "The manifests of other packages depend on it.")
    }

    /// The root package; nil if the root is not a package.
    package var rootPackage: LocalPackage? { package(in: "") }

    /// The configuration, or the default names for a tree without one.
    package var names: Configuration { configuration ?? Configuration() }

    /// Whether the tree is configured to have layers. The rules about layers and versions apply only to such trees.
    package var hasLayers: Bool { configuration?.layers.isEmpty == false }

    /// Whether the packages of the tree have versions.
    package var hasVersions: Bool { hasLayers && names.versions == .table }

    /// Whether the tree has Apis and IMPs. The rules about pairs apply only to such trees.
    package var hasPairs: Bool { packages.contains { $0.role == .api || $0.role == .imp } }

    /// The local package that provides a target's dependency; nil if no local package does.
    package func package(
        owning dependency: Manifest.TargetDependency, of package: LocalPackage
    ) -> LocalPackage? {
        if let name = dependency.package { return self.package(name, for: package) }
        if package.targets.contains(where: { $0.name == dependency.name }) { return package }
        let reached = package.manifest.dependencies.lazy.compactMap {
            self.package(reachedBy: $0, of: package)
        }
        return reached.first { other in other.manifest.products.contains { $0.name == dependency.name } }
            ?? self.package(dependency.name, for: package)
    }

    /// The identities of the remote packages that may provide a target's dependency. A product without the name of its
    /// package may be in any remote package that the manifest declares.
    package func identities(of dependency: Manifest.TargetDependency, in package: LocalPackage) -> [String] {
        guard self.package(owning: dependency, of: package) == nil else { return [] }
        let declared = package.manifest.dependencies.filter { $0.path == nil }
        guard let name = dependency.package?.lowercased() else { return declared.map(\.identity) }
        return declared.filter { $0.identity == name || $0.alias?.lowercased() == name }.map(\.identity)
    }

    /// The targets that a dependency of a target provides; empty if no local package provides it.
    package func targets(
        of dependency: Manifest.TargetDependency, in package: LocalPackage
    ) -> [LocalTarget] {
        guard let owner = self.package(owning: dependency, of: package) else { return [] }
        if owner !== package { return owner.targets(ofProduct: dependency.name) }
        return dependency.package == nil ? package.targets.filter { $0.name == dependency.name } : []
    }

    /// The modules that a dependency of a target provides; empty if no local package provides it.
    package func modules(
        of dependency: Manifest.TargetDependency, in package: LocalPackage
    ) -> [String] {
        targets(of: dependency, in: package).map(\.module)
    }
}

extension LocalPackage {
    /// The targets of a product of this package; empty if there is no such product.
    package func targets(ofProduct name: String) -> [LocalTarget] {
        let names = manifest.products.first { $0.name == name }?.targets ?? []
        return names.compactMap { name in targets.first { $0.name == name } }
    }
}
