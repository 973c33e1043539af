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
        used if the target imports a module of unknown origin. The rule reports nothing where imports do not \
        show what a target uses: if a plugin generates code, modules have aliases, `.modules.yml` excludes \
        files, or code looks symbols up by name; if the dependency is C code, has resources, or exports \
        symbols; or if a package offers plugins or selects traits. `check --fix` removes a dependency only \
        if the tree contains all code that the dependency links.

        Breaks it:  dependencies: ["ApiCenter"] without `import ApiCenter`
        Fix it:     remove it from the target, and from the package if no other target uses it.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let tree = context.tree
        let hidden = Lazy { HiddenUses(tree) }
        return try tree.packages.flatMap { package in
            let uses = package.targets.map { target in
                target.dependencies.map { dependency in
                    Use(dependency: dependency, owner: tree.package(owning: dependency, of: package))
                }
            }
            return try zip(package.targets, uses).flatMap {
                try unused($0, $1, of: package, in: tree, hidden)
            }
                + unusedPackages(package, uses.flatMap(\.self), in: tree)
        }
    }

    /// A dependency of a target, and its provider; nil if no package of the tree provides the dependency.
    private struct Use {
        let dependency: Manifest.TargetDependency
        let owner: LocalPackage?
    }

    private func unused(
        _ target: LocalTarget, _ uses: [Use], of package: LocalPackage, in tree: Tree,
        _ hidden: Lazy<HiddenUses>
    ) throws -> [Finding] {
        // A target whose files contain only comments exists to pass on its dependencies, because SwiftPM requires a
        // file in each target.
        guard !target.files.allSatisfy(\.facts.isEmpty), !tree.isMirror(target, of: package),
            // An alias applies to all targets of the package that use the product.
            !package.targets.contains(where: { $0.dependencies.contains(where: \.renamesModules) })
        else { return [] }
        let imported = Set(target.files.flatMap { $0.facts.imports.map(\.module) })
        let brought = uses.map { tree.modules(of: $0.dependency, in: package) }
        let declared = Set(zip(uses, brought).flatMap { [$0.dependency.name] + $1 })
        let hasUnexplained = imported.contains {
            !declared.contains($0) && tree.package(ofModule: $0) == nil && !Self.toolchain.contains($0)
        }
        return try zip(uses, brought).compactMap { use, brought in
            let (dependency, owner) = (use.dependency, use.owner)
            guard let position = dependency.position, !dependency.isPlugin else { return nil }
            let modules = owner == nil ? [dependency.name] : brought
            if modules.contains(where: imported.contains) { return nil }
            if owner == nil, hasUnexplained { return nil }
            // SwiftPM itself reports a name that no package provides.
            if modules.isEmpty { return nil }
            if owner == nil, isUnread(dependency.package, of: package, in: tree) { return nil }
            let hidden = try hidden.value
            // Plugins, macros and tools that tests run are dependencies that no file imports.
            if tree.targets(of: dependency, in: package).contains(where: hidden.isUsableWithoutImport)
                || hidden.isOpaque(target) || modules.contains(where: { hidden.isTested($0, by: target) })
            {
                return nil
            }
            let isUnneeded = hidden.isUnneeded(dependency, of: target, in: package)
            return finding(
                position.in(package.manifestPath),
                "the target \(target.name) declares \(dependency.name) but never imports it",
                fix: "remove \(dependency.name) from the target's dependencies"
                    + (isUnneeded ? "" : " if everything builds without it"),
                repair: isUnneeded ? .remove : nil)
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
        let remote = remotePackages(of: package, in: tree)
        return package.manifest.dependencies.compactMap { dependency in
            let names = [dependency.identity, dependency.alias?.lowercased() ?? dependency.identity]
            guard dependency.path != nil, named.isDisjoint(with: names) else { return nil }
            guard let reached = tree.package(reachedBy: dependency, of: package) else { return nil }
            if owners.contains(reached.path) || dependency.hasTraits { return nil }
            // A command plugin needs only the declaration of its package.
            if reached.targets.contains(where: { $0.kind == .plugin }) { return nil }
            // A declared local package replaces a remote package of the same identity everywhere.
            if remote.contains(dependency.identity) { return nil }
            return finding(
                dependency.position.in(package.manifestPath),
                "\(package.name) declares the package \(dependency.identity), but no target uses it",
                fix: "remove the package from the manifest's dependencies"
                    + (remote.isEmpty ? "" : " if everything builds without it"),
                repair: remote.isEmpty ? .remove : nil)
        }
    }

    /// The identities of the remote packages that a package or its local dependencies declare.
    private func remotePackages(of package: LocalPackage, in tree: Tree) -> Set<String> {
        let all = reachable(from: [package.index]) { index in
            let package = tree.packages[index]
            return package.manifest.dependencies.compactMap {
                tree.package(reachedBy: $0, of: package)?.index
            }
        }
        return Set(
            all.flatMap { tree.packages[$0].manifest.dependencies }.filter { $0.path == nil }.map(\.identity))
    }

    /// The modules of toolchains and platforms that Swift packages commonly import.
    private static let toolchain: Set = [
        "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Dispatch",
        "Synchronization", "Observation", "Testing", "XCTest", "Glibc", "Musl", "Darwin", "Android", "WinSDK",
        "RegexBuilder", "Distributed", "Cxx", "PackageDescription", "PackagePlugin", "os", "OSLog", "Combine",
        "SwiftUI", "UIKit", "AppKit", "CoreFoundation", "CryptoKit", "Network",
    ]
}
