import ModuleTree

/// A target imports every dependency that it declares.
struct DependencyUsedRule: Rule {
    let id = "dependency-used"
    let group = RuleGroup.imports
    let subject = RuleSubject.packages
    let why = "an unused dependency still costs build time and obscures the real dependency graph"
    let explanation = """
        Each dependency that a target declares must be imported by at least one of its files, and each \
        package that a manifest declares must be used by at least one of its targets. The rule checks \
        names that the manifest spells out, including those in lists that it transforms. It does not check \
        a name that the manifest computes, such as `pair.name + "Api"`, because that expression also \
        stands for other dependencies. It does not check the root's declarations of other packages' test \
        targets either. A product of a remote package can contain modules of any name, so it counts as \
        used if the target imports a module of unknown origin.

        Breaks it:  dependencies: ["ApiCenter"] without `import ApiCenter`
        Fix it:     remove it from the target, and from the package if no other target uses it.
        """

    func findings(in context: RuleContext) -> [Finding] {
        let tree = context.tree
        // An Xcode project links products for reasons that no import shows, such as Objective-C code.
        return tree.packages.filter { !$0.isProject }.flatMap { package in
            let uses = package.targets.map { target in
                target.dependencies.map { dependency in
                    Use(dependency: dependency, owner: tree.package(owning: dependency, of: package))
                }
            }
            return zip(package.targets, uses).flatMap { unused($0, $1, of: package, in: tree) }
                + unusedPackages(package, uses.flatMap(\.self), in: tree)
        }
    }

    /// A dependency of a target, and its provider; nil if no package of the tree provides the dependency.
    private struct Use {
        let dependency: Manifest.TargetDependency
        let owner: LocalPackage?
    }

    private func unused(
        _ target: LocalTarget, _ uses: [Use], of package: LocalPackage, in tree: Tree
    ) -> [Finding] {
        // A target whose files contain only comments exists to pass on its dependencies, because SwiftPM requires a
        // file in each target.
        guard !target.files.allSatisfy(\.facts.isEmpty), !tree.isMirror(target, of: package) else {
            return []
        }
        let imported = Set(target.files.flatMap { $0.facts.imports.map(\.module) })
        let brought = uses.map { tree.modules(of: $0.dependency, in: package) }
        let declared = Set(zip(uses, brought).flatMap { [$0.dependency.name] + $1 })
        let hasUnexplained = imported.contains {
            !declared.contains($0) && tree.package(ofModule: $0) == nil && !Self.toolchain.contains($0)
        }
        return zip(uses, brought).compactMap { use, brought in
            let (dependency, owner) = (use.dependency, use.owner)
            guard let position = dependency.position, !dependency.isPlugin else { return nil }
            let modules = owner == nil ? [dependency.name] : brought
            if modules.contains(where: imported.contains) { return nil }
            // Plugins, macros and tools that tests run are dependencies that no file imports.
            let kinds = owner?.targets.filter { modules.contains($0.module) }.map(\.kind) ?? []
            if kinds.contains(where: { $0 != .regular }) { return nil }
            if owner == nil, hasUnexplained { return nil }
            // SwiftPM itself reports a name that no package provides.
            if modules.isEmpty { return nil }
            if owner == nil, isUnread(dependency.package, of: package, in: tree) { return nil }
            return finding(
                position.in(package.manifestPath),
                "the target \(target.name) declares \(dependency.name) but never imports it",
                fix: "remove \(dependency.name) from the target's dependencies", repair: .remove)
        }
    }

    /// Whether a dependency is in a local package whose manifest cannot be read, so that its products are unknown.
    private func isUnread(_ name: String?, of package: LocalPackage, in tree: Tree) -> Bool {
        package.manifest.dependencies.contains { dependency in
            let folder = dependency.path.flatMap { tree.folder($0, from: package) }
            return [dependency.identity, dependency.alias?.lowercased()].contains(name?.lowercased())
                && tree.unread.contains { $0.folder == folder }
        }
    }

    private func unusedPackages(_ package: LocalPackage, _ uses: [Use], in tree: Tree) -> [Finding] {
        let owners = Set(uses.compactMap(\.owner?.path))
        let named = Set(uses.compactMap { $0.dependency.package?.lowercased() })
        // The products of packages outside the tree are unknown, so an unresolved name may be one of them.
        let hasUnowned = uses.contains { $0.dependency.package == nil && $0.owner == nil }
        return package.manifest.dependencies.compactMap { dependency in
            let names = [dependency.identity, dependency.alias?.lowercased() ?? dependency.identity]
            guard dependency.path != nil, named.isDisjoint(with: names) else { return nil }
            let reached = tree.package(reachedBy: dependency, of: package)
            if reached.map({ owners.contains($0.path) }) ?? hasUnowned { return nil }
            return finding(
                dependency.position.in(package.manifestPath),
                "\(package.name) declares the package \(dependency.identity), but no target uses it",
                fix: "remove the package from the manifest's dependencies", repair: .remove)
        }
    }

    /// The modules of toolchains and platforms that Swift packages commonly import.
    private static let toolchain: Set = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Dispatch",
        "Synchronization", "Observation", "Testing", "XCTest", "Glibc", "Musl", "Darwin", "Android", "WinSDK",
        "RegexBuilder", "Distributed", "Cxx", "PackageDescription", "PackagePlugin", "os", "OSLog", "Combine",
        "SwiftUI", "UIKit", "AppKit", "CoreFoundation", "CryptoKit", "Network",
    ]
}
