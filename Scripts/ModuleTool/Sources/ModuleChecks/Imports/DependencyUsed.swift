import ModuleRules
import ModuleTree

extension Rule {
    static let dependencyUsed = Rule("dependency-used", in: .imports, over: \.packages) { package, report in
        for target in package.targets { try report.unused(in: target, of: package) }
        report.unusedPackages(of: package)
    }
}

extension RuleReport {
    /// Reports the dependencies that a target declares and nothing uses.
    fileprivate mutating func unused(in target: LocalTarget, of package: LocalPackage) throws {
        // A target whose files contain only comments exists to pass on its dependencies, because SwiftPM requires a
        // file in each target.
        guard !target.files.allSatisfy(\.facts.isEmpty), !tree.isMirror(target, of: package),
            // An alias applies to all targets of the package that use the product.
            !package.targets.contains(where: { $0.dependencies.contains(where: \.renamesModules) })
        else { return }
        let imported = Set(target.imports.map(\.1.module))
        let uses = target.dependencies.map { dependency in
            (
                dependency, tree.package(owning: dependency, of: package),
                tree.modules(of: dependency, in: package)
            )
        }
        let declared = Set(uses.flatMap { [$0.0.name] + $0.2 })
        let hasUnexplained = imported.contains {
            !declared.contains($0) && tree.package(ofModule: $0) == nil && !toolchain.contains($0)
        }
        for (dependency, owner, brought) in uses {
            guard let position = dependency.position, !dependency.isPlugin else { continue }
            let modules = owner == nil ? [dependency.name] : brought
            // SwiftPM itself reports a name that no package provides.
            if modules.isEmpty || modules.contains(where: imported.contains) { continue }
            if owner == nil, hasUnexplained || tree.isUnread(dependency.package, of: package) { continue }
            let hidden = try context.hiddenUses
            // Plugins, macros and tools that tests run are dependencies that no file imports.
            if tree.targets(of: dependency, in: package).contains(where: hidden.isUsableWithoutImport)
                || hidden.isOpaque(target) || modules.contains(where: { hidden.isTested($0, by: target) })
            {
                continue
            }
            let isUnneeded = hidden.isUnneeded(dependency, of: target, in: package)
            self(
                position.in(package.manifestPath),
                "the target \(target.name) declares \(dependency.name) but never imports it",
                fix: "Remove \(dependency.name) from the target's dependencies"
                    + (isUnneeded ? "." : " if everything builds without it."),
                repair: isUnneeded ? .remove : nil, cause: [position.in(package.manifestPath)])
        }
    }

    /// Reports the packages that no target uses.
    fileprivate mutating func unusedPackages(of package: LocalPackage) {
        let uses = package.targets.flatMap(\.dependencies)
        let owners = Set(uses.compactMap { tree.package(owning: $0, of: package)?.path })
        let named = Set(uses.compactMap { $0.package?.lowercased() })
        // The identities of the remote packages that the package or its local dependencies declare.
        let remote = Set(
            tree.dependencies(of: package).flatMap(\.manifest.dependencies).filter { $0.path == nil }.map(
                \.identity))
        for dependency in package.manifest.dependencies {
            let names = [dependency.identity, dependency.alias?.lowercased() ?? dependency.identity]
            guard named.isDisjoint(with: names),
                let reached = tree.package(reachedBy: dependency, of: package),
                !owners.contains(reached.path), !dependency.hasTraits,
                // A command plugin needs only the declaration of its package.
                !reached.targets.contains(where: { $0.kind == .plugin }),
                // A declared local package replaces a remote package of the same identity everywhere.
                !remote.contains(dependency.identity)
            else { continue }
            self(
                dependency.position.in(package.manifestPath),
                "\(package.name) declares the package \(tree.name(of: dependency, in: package)), but no target uses it",
                fix: "Remove the package from the manifest's dependencies"
                    + (remote.isEmpty ? "." : " if everything builds without it."),
                repair: remote.isEmpty ? .remove : nil, cause: [dependency.position.in(package.manifestPath)])
        }
    }
}

extension Tree {
    /// Whether a dependency is in a local package whose manifest cannot be read, so that its products are unknown.
    fileprivate func isUnread(_ name: String?, of package: LocalPackage) -> Bool {
        package.manifest.dependencies.contains { dependency in
            let folder = dependency.path.flatMap { self.folder($0, from: package) }
            return [dependency.identity, dependency.alias?.lowercased()].contains(name?.lowercased())
                && unread.contains { $0.folder == folder }
        }
    }
}

/// The modules of toolchains and platforms that Swift packages commonly import.
private let toolchain: Set = [
    "Swift", "Foundation", "FoundationEssentials", "FoundationNetworking", "FoundationXML", "Dispatch",
    "Synchronization", "Observation", "Testing", "XCTest", "Glibc", "Musl", "Darwin", "Android", "WinSDK",
    "RegexBuilder", "Distributed", "Cxx", "PackageDescription", "PackagePlugin", "os", "OSLog", "Combine",
    "SwiftUI", "UIKit", "AppKit", "CoreFoundation", "CryptoKit", "Network",
]
