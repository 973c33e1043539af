import ModuleTree

/// What a target declares, it imports.
struct DependencyUsedRule: Rule {
    let id = "dependency-used"
    let group = RuleGroup.imports
    let why = "a dependency that nobody uses still costs a build and hides which way the tree leans"
    let explanation = """
        Each dependency that a target declares is imported by one of its files, and each package that a manifest \
        declares is used by one of its targets. A name that stands in a list as it is counts, whatever the \
        manifest does with the list; one that it makes from another, as `pair.name + "Api"`, does not, since what \
        it is made from is for others too. Nor do the root's test targets that stand for a package's own. A \
        product of a fetched package may hold modules of other names, so it counts as used while the target \
        imports a module that nothing in the tree explains.

        Breaks it:  dependencies: ["ApiCenter"] without `import ApiCenter`
        Mend it:    remove it from the target, and from the package when no other target uses it.
        """

    func findings(in subject: Subject) -> [Finding] {
        let tree = subject.tree
        return tree.packages.flatMap { package in
            let uses = package.targets.map { target in
                target.dependencies.map { dependency in
                    Use(dependency: dependency, owner: tree.package(owning: dependency, of: package))
                }
            }
            return zip(package.targets, uses).flatMap { unused($0, $1, of: package, in: tree) }
                + unusedPackages(package, uses.flatMap(\.self), in: tree)
        }
    }

    /// A dependency that a target declares, and the package of the tree that it comes from.
    private struct Use {
        let dependency: Manifest.TargetDependency
        let owner: LocalPackage?
    }

    private func unused(
        _ target: LocalTarget, _ uses: [Use], of package: LocalPackage, in tree: Tree
    ) -> [Finding] {
        guard !target.files.isEmpty, !tree.isMirror(target, of: package) else { return [] }
        let imported = Set(target.files.flatMap { tree.files[$0].facts.imports.map(\.module) })
        let brought = uses.map { tree.modules(of: $0.dependency, in: package) }
        let declared = Set(zip(uses, brought).flatMap { [$0.dependency.name] + $1 })
        let hasUnexplained = imported.contains {
            !declared.contains($0) && tree.package(ofModule: $0) == nil && !Self.toolchain.contains($0)
        }
        return zip(uses, brought).compactMap { use, brought in
            let (dependency, owner) = (use.dependency, use.owner)
            guard let position = dependency.position else { return nil }
            let modules = owner == nil ? [dependency.name] : brought
            if modules.contains(where: imported.contains) { return nil }
            // A tool that a test runs is a dependency without an import; so is a plugin or a macro.
            let kinds = owner?.targets.filter { modules.contains($0.module) }.map(\.kind) ?? []
            if kinds.contains(where: { $0 != .regular }) { return nil }
            if owner == nil, hasUnexplained { return nil }
            // A name that no package of the tree has is SwiftPM's to complain about.
            if modules.isEmpty { return nil }
            return finding(
                position.in(package.manifestPath),
                "the target \(target.name) declares \(dependency.name) and never imports it",
                mend: "remove \(dependency.name) from the target's dependencies")
        }
    }

    private func unusedPackages(_ package: LocalPackage, _ uses: [Use], in tree: Tree) -> [Finding] {
        let owners = Set(uses.compactMap(\.owner?.path))
        let named = Set(uses.compactMap { $0.dependency.package?.lowercased() })
        // Products of a package outside the tree are not known, so a name that is no package's may be one.
        let hasUnowned = uses.contains { $0.dependency.package == nil && $0.owner == nil }
        return package.manifest.dependencies.compactMap { dependency in
            guard dependency.path != nil, !named.contains(dependency.identity) else { return nil }
            let reached = tree.package(reachedBy: dependency, of: package)
            if reached.map({ owners.contains($0.path) }) ?? hasUnowned { return nil }
            return finding(
                dependency.position.in(package.manifestPath),
                "\(package.name) declares the package \(dependency.identity), and none of its targets uses it",
                mend: "remove it from the package's dependencies")
        }
    }

    /// Modules that come with the toolchain, of those that Swift packages commonly import.
    private static let toolchain: Set = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Dispatch",
        "Synchronization", "Observation", "Testing", "XCTest", "Glibc", "Musl", "Darwin", "Android", "WinSDK",
        "RegexBuilder", "Distributed", "Cxx", "PackageDescription", "PackagePlugin", "os", "OSLog", "Combine",
        "SwiftUI", "UIKit", "AppKit", "CoreFoundation", "CryptoKit", "Network",
    ]
}
