import Foundation
import ModuleFacts
import ModuleKit
import ModuleRules
import ModuleTree

extension Rule {
    static let importDeclared = Rule("import-declared", in: .imports, over: \.packages) { package, report in
        let tree = report.tree
        // What an app links for the tests of a pair is judged by the rule test-uses.
        for target in package.targets
        where !target.declaration.renamesModules && !tree.isMirrorOfPair(target, of: package) {
            // The project can link other libraries, but gets the pairs from the package alone.
            let isOfProject = tree.isOfProject(target)
            let linking = isOfProject ? target.withLibraries(of: package) : [target]
            let uses = linking.flatMap(\.dependencies).map {
                (dependency: $0, modules: [$0.name] + tree.modules(of: $0, in: package))
            }
            var missing: [String: [SourcePlace]] = [:]
            for (file, imported) in target.imports
            where imported.module != target.module && !target.isGiven(imported.module) {
                let place = file.place(imported.position)
                let all = uses.filter { $0.modules.contains(imported.module) }.map(\.dependency)
                guard let use = all.first else {
                    missing[imported.module, default: []].append(place)
                    continue
                }
                if isOfProject || all.contains(where: imported.isCovered) { continue }
                report(
                    place,
                    "\(target.name) depends on \(imported.module) only \(use.condition), but this import is "
                        + "compiled in other builds too",
                    fix: "Write #if "
                        + (use.traits.isEmpty
                            || !use.platforms.isEmpty
                            ? "canImport(\(imported.module))" : use.traits.sorted().joined(separator: " || "))
                        + " around the import and its uses.",
                    notes: [.init(target.place(of: use, in: package), "the dependency")], cause: [place])
            }
            for (module, places) in missing.sorted(by: { $0.key < $1.key }) {
                let declared = linking.flatMap(\.dependencies)
                try report.missing(module, at: places, in: target, of: package, among: declared)
            }
        }
    }

    static let packageFound = Rule("package-found", in: .imports, over: \.packages) { package, report in
        let tree = report.tree
        for dependency in package.manifest.dependencies {
            guard let path = dependency.path,
                tree.folder(path, from: package).flatMap(tree.package(in:)) == nil
            else { continue }
            let folder = PathText.join(PathText.join(tree.root, package.path), path)
            // The rule manifest-read reports a package whose manifest cannot be read.
            let ignored = tree.unread.map(\.folder) + (tree.configuration?.exclude ?? [])
            if ignored.contains(where: { (folder + "/").hasPrefix("\(tree.root)/\($0)/") }) { continue }
            let exists = FileManager.default.fileExists(atPath: folder + "/Package.swift")
            // The check of this tree does not cover packages outside the tree.
            if exists, !folder.hasPrefix(tree.root + "/") { continue }
            report(
                dependency.position.in(package.manifestPath),
                exists
                    ? "the package \(path) is in a hidden folder, which no rule checks"
                    : "there is no package at the path \(path)",
                fix: exists
                    ? "Move the package to a folder that is not hidden."
                    : "Correct the path or remove the dependency; if the package is a submodule, fetch it "
                        + "first; if git ignores it, generate it first.")
        }
    }

    static let sharedSettings = Rule(
        "shared-settings", in: .imports, over: { try $0.sharedSettings == nil ? [] : $0.packages }
    ) { package, report in
        guard let settings = try report.context.sharedSettings,
            let lines = report.tree.lines(of: package.manifestPath)
        else { return }
        // The first line that differs or, if the manifest ends too early, its last line.
        let end = lines.drop { !$0.hasPrefix(SharedSettings.mark) }
        if end.starts(with: settings) { return }
        let same = zip(end, settings).prefix { $0 == $1 }.count
        report(
            SourcePlace(path: package.manifestPath, line: min(end.startIndex + same, lines.count - 1) + 1),
            "the shared settings of \(package.name) differ from those of the root manifest",
            fix:
                "Replace the end of the manifest with the end of Package.swift, from `\(SharedSettings.mark)` on."
        )
    }
}

extension SourceFacts.Import {
    /// Whether every build that compiles this import has a dependency. An import under an `#if` about any platform is
    /// taken for one on the right platforms, because `canImport(Glibc)` and others stand for platforms too.
    fileprivate func isCovered(by dependency: Manifest.TargetDependency) -> Bool {
        // Toolchains contain swift-syntax too.
        guard dependency.isConditional, dependency.package != "swift-syntax" else { return true }
        guard let condition else { return false }
        if condition.deciding(["canImport(\(module))"], on: []) == .not(.always) { return true }
        // A focus gives each pair a trait with the name of its module.
        let isTraitCovered =
            dependency.traits.isEmpty
            || condition.deciding(dependency.traits.union([module]), on: []) == .not(.always)
        return isTraitCovered
            && (dependency.platforms.isEmpty
                || condition.atoms.contains { atom in
                    ["os(", "canImport(", "targetEnvironment("].contains(where: atom.hasPrefix)
                })
    }
}

extension Manifest.TargetDependency {
    fileprivate var isConditional: Bool { !traits.isEmpty || !platforms.isEmpty }

    /// The condition as a manifest states it.
    fileprivate var condition: String {
        let trait = traits.isEmpty ? "" : "with the trait \(traits.sorted().joined(separator: " or "))"
        let platform = platforms.isEmpty ? "" : "on \(platforms.sorted().joined(separator: ", "))"
        return [trait, platform].filter { !$0.isEmpty }.joined(separator: " and ")
    }
}

extension LocalTarget {
    /// Whether SwiftPM provides a module to a target of this kind without a dependency.
    fileprivate func isGiven(_ module: String) -> Bool { kind == .plugin && module == "PackagePlugin" }
}

extension RuleReport {
    /// Reports the imports of a module that the target does not declare, if the module belongs to a package.
    ///
    /// - Parameter declared: The dependencies that the target may use.
    fileprivate mutating func missing(
        _ module: String, at places: [SourcePlace], in target: LocalTarget, of package: LocalPackage,
        among declared: [Manifest.TargetDependency]
    ) throws {
        let owner = tree.package(ofModule: module, for: package)
        let remote = try context.remoteProducts[module]
        guard owner != nil || remote != nil,
            !tree.isOfProject(target) || owner?.role == .api || owner?.role == .imp
        else { return }
        if owner == nil, let remote, tree.isCollected(remote, among: declared, of: package) { return }
        let list = "the dependencies at \(target.declaration.position.in(package.manifestPath))"
        func report(_ fix: String, repair: Diagnostic.Repair? = nil) {
            self(
                places[0], "\(module) is imported, but the target \(target.name) does not declare it",
                fix: fix, notes: places.dropFirst().prefix(5).map { .init($0, "also imported here") },
                repair: repair, cause: places, home: package.manifestPath)
        }
        guard let owner, let imported = owner.targets.first(where: { $0.module == module }) else {
            return report(remote?.fix(adding: module, to: list, of: package) ?? "")
        }
        if owner.path == package.path {
            return report(
                "Add \"\(module)\" to \(list).",
                repair: .add(imported.name, of: owner.path, to: target.name, in: package.path))
        }
        // Preferably the product with the name of the module's target.
        let products = owner.manifest.products.filter { $0.targets.contains(imported.name) }
        guard let product = (products.first { $0.name == imported.name } ?? products.first)?.name else {
            return report(
                "Add \(module) to a product in \(owner.manifestPath), and that product to \(list).")
        }
        let identity = tree.identity(of: owner)
        let dependency =
            product == identity
            ? "\"\(product)\"" : ".product(name: \"\(product)\", package: \"\(identity)\")"
        let path = PathText.path(to: owner.path, from: package.path)
        report(
            "Add \(dependency) to \(list)"
                + (tree.declares(package, owner)
                    ? "." : ", and .package(path: \"\(path)\") to the package's dependencies."),
            repair: imported.kind == .regular
                ? .add(product, of: owner.path, to: target.name, in: package.path) : nil)
    }
}

/// A target's dependency on a product that no package of the tree provides.
struct RemoteProduct: Sendable {
    let dependency: Manifest.TargetDependency
    let place: SourcePlace
    /// The identities of the packages that may contain the product.
    let packages: [String]

    /// The fix for a target of a package that imports the product's module.
    fileprivate func fix(adding module: String, to list: String, of package: LocalPackage) -> String {
        let source = dependency.package ?? (packages.count == 1 ? packages[0] : nil)
        let product =
            source.map { ".product(name: \"\(module)\", package: \"\($0)\")" } ?? "\"\(module)\""
        let isDeclared = package.manifest.dependencies.contains { packages.contains($0.identity) }
        return "Add \(product) to \(list), as at \(place)"
            + (isDeclared ? "." : ", and its package to the package's dependencies.")
    }
}

extension Tree {
    /// Whether a target compiles the tests of a pair, whose own package declares them too.
    fileprivate func isMirrorOfPair(_ target: LocalTarget, of package: LocalPackage) -> Bool {
        target.kind == .test && isMirror(target, of: package) && owner(ofFolder: target.folder)?.role == .imp
    }

    /// Whether a target declares a product that may contain the modules of a remote product: one of the same package whose
    /// name no module can have, such as `SwiftToolsSupport-auto`.
    fileprivate func isCollected(
        _ product: RemoteProduct, among declared: [Manifest.TargetDependency], of package: LocalPackage
    ) -> Bool {
        declared.contains { dependency in
            !dependency.isModule
                && identities(of: dependency, in: package).contains(where: product.packages.contains)
        }
    }
}

extension Tree {
    /// The lines of a file; nil if there is no such file.
    func lines(of path: String) -> [Substring]? {
        // Treats both line endings alike, as SwiftPM does.
        contents(of: path).map {
            String(decoding: $0, as: UTF8.self).replacing("\r\n", with: "\n")
                .split(separator: "\n", omittingEmptySubsequences: false)
        }
    }
}

private enum RemoteProducts: Derived {
    static func value(in context: RuleContext) -> [String: RemoteProduct] {
        let tree = context.tree
        let products = tree.packages.flatMap { package in
            package.targets.flatMap { target in
                target.dependencies.filter { tree.package(owning: $0, of: package) == nil }.map {
                    RemoteProduct(
                        dependency: $0, place: target.place(of: $0, in: package),
                        packages: tree.identities(of: $0, in: package))
                }
            }
        }
        return Dictionary(products.map { ($0.dependency.name, $0) }) { first, _ in first }
    }
}

private enum SharedEnd: Derived {
    static func value(in context: RuleContext) -> ArraySlice<Substring>? {
        let lines = context.tree.lines(of: "Package.swift")
        let end = lines?.drop { !$0.hasPrefix(SharedSettings.mark) } ?? []
        return end.isEmpty ? nil : end
    }
}

extension RuleContext {
    /// The products that no package of the tree provides, by name.
    fileprivate var remoteProducts: [String: RemoteProduct] {
        get throws { try value(of: RemoteProducts.self) }
    }

    /// The end of the root manifest, which every manifest repeats; nil if it has no shared settings.
    fileprivate var sharedSettings: ArraySlice<Substring>? { get throws { try value(of: SharedEnd.self) } }
}
