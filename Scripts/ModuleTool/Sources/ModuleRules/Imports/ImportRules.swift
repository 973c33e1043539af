import Foundation
import ModuleTree

extension Rule {
    static let importDeclared = Rule("import-declared", in: .imports, over: \.packages) { package, report in
        let tree = report.tree
        for target in package.targets where !target.declaration.renamesModules {
            // The project can link other libraries, but gets the pairs from the package alone.
            let isOfProject = tree.isOfProject(target)
            let linking = isOfProject ? target.withLibraries(of: package) : [target]
            let uses = linking.flatMap(\.dependencies).map {
                (dependency: $0, modules: [$0.name] + tree.modules(of: $0, in: package))
            }
            for (file, imported) in target.imports where imported.module != target.module {
                let place = file.place(imported.position)
                let all = uses.filter { $0.modules.contains(imported.module) }.map(\.dependency)
                guard let use = all.first else {
                    try report.missing(imported.module, at: place, in: target, of: package)
                    continue
                }
                if isOfProject || all.contains(where: imported.isCovered) { continue }
                report(
                    place,
                    "\(target.name) depends on \(imported.module) only \(use.condition), but this import is "
                        + "compiled in other builds too",
                    fix: "write #if "
                        + (use.traits.isEmpty
                            || !use.platforms.isEmpty
                            ? "canImport(\(imported.module))" : use.traits.sorted().joined(separator: " || "))
                        + " around the import and its uses",
                    notes: [.init(target.place(of: use, in: package), "the dependency")])
            }
        }
    }

    static let manifestRead = Rule(
        "manifest-read", in: .imports, counting: { $0.packages.count + $0.tree.unread.count }
    ) { report in
        for manifest in report.tree.unread {
            report(
                manifest.place, "the manifest cannot be read: \(manifest.reason)",
                fix: "\(manifest.fix), or exclude the folder in \(Configuration.path)")
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
                    ? "move the package to a folder that is not hidden"
                    : "correct the path or remove the dependency; if the package is a submodule, fetch it "
                        + "first; if git ignores it, generate it first")
        }
    }

    static let sharedSettings = Rule(
        "shared-settings", in: .imports, over: { $0.sharedSettings == nil ? [] : $0.packages }
    ) { package, report in
        guard let settings = report.context.sharedSettings,
            let lines = report.context.lines(of: package.manifestPath)
        else { return }
        // The first line that differs or, if the manifest ends too early, its last line.
        let end = lines.drop { !$0.hasPrefix(SharedSettings.mark) }
        if end.starts(with: settings) { return }
        let same = zip(end, settings).prefix { $0 == $1 }.count
        report(
            SourcePlace(path: package.manifestPath, line: min(end.startIndex + same, lines.count - 1) + 1),
            "the shared settings of \(package.name) differ from those of the root manifest",
            fix:
                "replace the end of the manifest with the end of Package.swift, from `\(SharedSettings.mark)` on"
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

extension RuleReport {
    /// Reports the import of a module that the target does not declare, if the module belongs to a package.
    fileprivate mutating func missing(
        _ module: String, at place: SourcePlace, in target: LocalTarget, of package: LocalPackage
    ) throws {
        let owner = tree.package(ofModule: module, for: package)
        guard try owner != nil || context.fetched.value.contains(module),
            !tree.isOfProject(target) || owner?.role == .api || owner?.role == .imp
        else { return }
        let what = "\(module) is imported, but the target \(target.name) does not declare it"
        let list = "the dependencies at \(target.declaration.position.in(package.manifestPath))"
        guard let owner, let imported = owner.targets.first(where: { $0.module == module }) else {
            return self(place, what, fix: "add the product that contains \(module) to \(list)")
        }
        if owner.path == package.path {
            return self(
                place, what, fix: "add \"\(module)\" to \(list)",
                repair: .add(imported.name, of: owner.path, to: target.name, in: package.path))
        }
        if owner.role == .imp, package.role != .app {
            return self(
                place, what,
                fix:
                    "import \(owner.apiName) and get the implementation from ApiCenter; only apps import an IMP"
            )
        }
        // Preferably the product with the name of the module's target.
        let products = owner.manifest.products.filter { $0.targets.contains(imported.name) }
        guard let product = (products.first { $0.name == imported.name } ?? products.first)?.name else {
            return self(
                place, what,
                fix: "add \(module) to a product in \(owner.manifestPath), and that product to \(list)")
        }
        let identity = tree.identity(of: owner)
        let dependency =
            product == identity
            ? "\"\(product)\"" : ".product(name: \"\(product)\", package: \"\(identity)\")"
        let path = PathText.path(to: owner.path, from: package.path)
        self(
            place, what,
            fix: "add \(dependency) to \(list)"
                + (tree.declares(package, owner)
                    ? "" : ", and .package(path: \"\(path)\") to the package's dependencies"),
            repair: imported.kind == .regular
                ? .add(product, of: owner.path, to: target.name, in: package.path) : nil)
    }
}

extension RuleContext {
    /// The end of the root manifest, which every manifest repeats; nil if it has no shared settings.
    fileprivate var sharedSettings: ArraySlice<Substring>? {
        let end = lines(of: "Package.swift")?.drop { !$0.hasPrefix(SharedSettings.mark) } ?? []
        return end.isEmpty ? nil : end
    }

    fileprivate func lines(of path: String) -> [Substring]? {
        // Treats both line endings alike, as SwiftPM does.
        tree.contents(of: path).map {
            String(decoding: $0, as: UTF8.self).replacing("\r\n", with: "\n")
                .split(separator: "\n", omittingEmptySubsequences: false)
        }
    }
}
