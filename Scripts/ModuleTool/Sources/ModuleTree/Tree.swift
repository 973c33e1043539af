/// A tree of local packages, read once; every rule asks it.
package struct Tree: Sendable {
    /// The absolute path of the root.
    package let root: String

    /// Sorted by path.
    package let packages: [LocalPackage]
    package let files: [SourceFile]

    /// The paths of all other files, hidden ones aside.
    package let otherFiles: [String]

    private let byIdentity: [String: Int]
    private let byModule: [String: Int]
    private let byPath: [String: Int]
    /// The modules that several packages have, as trees of several apps may, each with all of those.
    private let shared: [String: [Int]]
    /// The local packages that each package declares, by identity.
    private let reached: [[String: Int]]

    init(root: String, packages: [LocalPackage], files: [SourceFile], otherFiles: [String]) {
        (self.root, self.packages, self.files, self.otherFiles) = (root, packages, files, otherFiles)
        var byIdentity: [String: Int] = [:]
        var byModule: [String: Int] = [:]
        var shared: [String: [Int]] = [:]
        for (index, package) in packages.enumerated() {
            if byIdentity[package.name.lowercased()] == nil { byIdentity[package.name.lowercased()] = index }
            // The root declares the tests of the packages once more; the package itself comes first.
            for target in package.targets
            where package.path.isEmpty == false || byModule[target.module] == nil {
                let other = byModule.updateValue(index, forKey: target.module)
                if let other, other != index { shared[target.module, default: [other]].append(index) }
            }
        }
        let byPath = Dictionary(zip(packages.map(\.path), packages.indices)) { first, _ in first }
        (self.byIdentity, self.byModule, self.byPath, self.shared) = (byIdentity, byModule, byPath, shared)
        reached = packages.map { package in
            var reached: [String: Int] = [:]
            for dependency in package.manifest.dependencies {
                guard let path = dependency.path else { continue }
                // By the path, for two apps of one tree may each have a `Core`.
                let folder = PathText.relative(path, from: package.path, in: root)
                reached[dependency.identity] =
                    folder.flatMap { byPath[$0] } ?? byIdentity[dependency.identity]
            }
            return reached
        }
    }

    /// The local package that a manifest means by an identity or a name, in any case.
    package func package(_ identity: String) -> LocalPackage? {
        byIdentity[identity.lowercased()].map { packages[$0] }
    }

    /// The local package that a dependency of a package's manifest leads to; nil for one that is fetched.
    package func package(
        reachedBy dependency: Manifest.Dependency, of package: LocalPackage
    ) -> LocalPackage? {
        dependency.path == nil ? nil : reached[package.index][dependency.identity].map { packages[$0] }
    }

    /// The local package that a package's targets mean by an identity or a name, in any case.
    package func package(_ identity: String, for package: LocalPackage) -> LocalPackage? {
        reached[package.index][identity.lowercased()].map { packages[$0] } ?? self.package(identity)
    }

    /// The package in a folder.
    package func package(in folder: String) -> LocalPackage? { byPath[folder].map { packages[$0] } }

    /// The local package that has this module.
    package func package(ofModule name: String) -> LocalPackage? { byModule[name].map { packages[$0] } }

    /// The local package whose module a package's sources mean by a name: of several its own, or one that its
    /// manifest declares.
    package func package(ofModule name: String, for package: LocalPackage) -> LocalPackage? {
        guard let owners = shared[name] else { return self.package(ofModule: name) }
        let near = Set(reached[package.index].values)
        let owner = owners.first { $0 == package.index } ?? owners.first(where: near.contains)
        return owner.map { packages[$0] } ?? self.package(ofModule: name)
    }

    /// The innermost package that a folder lies in.
    package func owner(ofFolder folder: String) -> LocalPackage? {
        var path = folder
        while true {
            if let index = byPath[path] { return packages[index] }
            guard !path.isEmpty else { return nil }
            path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        }
    }

    /// The root package, when the root is one.
    package var rootPackage: LocalPackage? { package(in: "") }

    /// Whether the tree keeps Apis and IMPs apart. The rules about pairs are about such trees alone.
    package var hasPairs: Bool { packages.contains { $0.role == .api || $0.role == .imp } }

    /// The modules of a target's declared dependency.
    package func modules(
        of dependency: Manifest.TargetDependency, in package: LocalPackage
    ) -> [String] {
        if let name = dependency.package, let other = self.package(name, for: package),
            other.path != package.path
        {
            return other.modules(ofProduct: dependency.name)
        }
        if dependency.package == nil {
            if let own = package.targets.first(where: { $0.name == dependency.name }) { return [own.module] }
            for reached in package.manifest.dependencies {
                guard let other = self.package(reachedBy: reached, of: package) else { continue }
                let modules = other.modules(ofProduct: dependency.name)
                if !modules.isEmpty { return modules }
            }
        }
        return []
    }

    /// Whether a package declares a local package of this identity.
    package func declares(_ package: LocalPackage, _ identity: String) -> Bool {
        package.manifest.dependencies.contains { $0.path != nil && $0.identity == identity.lowercased() }
    }
}

extension LocalPackage {
    /// The modules that a product of this package brings; none when there is no such product.
    package func modules(ofProduct name: String) -> [String] {
        manifest.products.first { $0.name == name }?.targets.map(ModuleIdentifier.of) ?? []
    }
}
