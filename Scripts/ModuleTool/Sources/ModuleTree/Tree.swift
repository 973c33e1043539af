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

    init(root: String, packages: [LocalPackage], files: [SourceFile], otherFiles: [String]) {
        (self.root, self.packages, self.files, self.otherFiles) = (root, packages, files, otherFiles)
        var byIdentity: [String: Int] = [:]
        var byModule: [String: Int] = [:]
        for (index, package) in packages.enumerated() {
            if byIdentity[package.name.lowercased()] == nil { byIdentity[package.name.lowercased()] = index }
            // The root declares the tests of the packages once more; the package itself comes first.
            for target in package.targets where package.path.isEmpty == false || byModule[target.name] == nil
            {
                byModule[target.name] = index
            }
        }
        (self.byIdentity, self.byModule) = (byIdentity, byModule)
        byPath = Dictionary(zip(packages.map(\.path), packages.indices)) { first, _ in first }
    }

    /// The local package that a manifest means by an identity or a name, in any case.
    package func package(_ identity: String) -> LocalPackage? {
        byIdentity[identity.lowercased()].map { packages[$0] }
    }

    /// The local package that a manifest's dependency leads to; nil for one that is fetched.
    package func package(reachedBy dependency: Manifest.Dependency) -> LocalPackage? {
        dependency.path == nil ? nil : byIdentity[dependency.identity].map { packages[$0] }
    }

    /// The package in a folder.
    package func package(in folder: String) -> LocalPackage? { byPath[folder].map { packages[$0] } }

    /// The local package that has a target of this name, and so a module.
    package func package(ofModule name: String) -> LocalPackage? { byModule[name].map { packages[$0] } }

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
        if let name = dependency.package, let other = self.package(name), other.path != package.path {
            return other.modules(ofProduct: dependency.name)
        }
        if dependency.package == nil {
            if package.targets.contains(where: { $0.name == dependency.name }) { return [dependency.name] }
            for reached in package.manifest.dependencies {
                guard let other = self.package(reachedBy: reached) else { continue }
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
        manifest.products.first { $0.name == name }?.targets ?? []
    }
}
