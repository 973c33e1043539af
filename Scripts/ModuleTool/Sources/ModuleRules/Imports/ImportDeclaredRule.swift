import ModuleTree

/// A target declares every module that its files import.
struct ImportDeclaredRule: Rule {
    let id = "import-declared"
    let group = RuleGroup.imports
    let subject = RuleSubject.packages
    let why = """
        an undeclared import builds only by chance, and fails to link once nothing else brings in the \
        imported module
        """
    let source: String? = "4-LayeredComponents, 独立业务层: dependencies are declared"
    let explanation = """
        If a source file imports a module of the tree, in any form and even inside `#if`, that module must \
        be the target's own or belong to a target or product that the target declares. The same applies to \
        a product of a remote package, if any target in the tree declares that product. The rule does not \
        check targets whose compiler flags rename modules.

        Breaks it:  import RideApi in a target whose dependencies do not list it
        Fix it:     add the module to the target's dependencies, and its package to the manifest's \
        dependencies.
        """

    func findings(in context: RuleContext) -> [Finding] {
        let tree = context.tree
        let fetched = Set(
            tree.packages.flatMap { package in
                package.targets.flatMap(\.dependencies)
                    .filter { tree.package(owning: $0, of: package) == nil }.map(\.name)
            })
        var findings: [Finding] = []
        for package in tree.packages {
            for target in package.targets where !target.declaration.renamesModules {
                let declared = Set(
                    target.dependencies.flatMap { [$0.name] + tree.modules(of: $0, in: package) } + [
                        target.module
                    ])
                for file in target.files {
                    for imported in file.facts.imports where !declared.contains(imported.module) {
                        let owner = tree.package(ofModule: imported.module, for: package)
                        guard owner != nil || fetched.contains(imported.module) else { continue }
                        findings.append(
                            finding(
                                file.place(imported.position),
                                "\(imported.module) is imported, but the target \(target.name) does not declare it",
                                fix: fix(imported.module, target, package, owner, in: tree),
                                repair: repair(imported.module, target, package, owner)))
                    }
                }
            }
        }
        return findings
    }

    private func fix(
        _ module: String, _ target: LocalTarget, _ package: LocalPackage, _ owner: LocalPackage?,
        in tree: Tree
    ) -> String {
        let place = target.declaration.position.in(package.manifestPath)
        guard let owner else {
            return "add the product that contains \(module) to the dependencies at \(place)"
        }
        if owner.path == package.path { return "add \"\(module)\" to the dependencies at \(place)" }
        if owner.role == .imp, package.role != .app {
            return
                "import \(owner.apiName) and get the implementation from ApiCenter; only apps import an IMP"
        }
        guard let product = product(module, of: owner) else {
            return
                "add \(module) to a product in \(owner.manifestPath), and that product to the dependencies at \(place)"
        }
        let identity = tree.identity(of: owner)
        let dependency =
            product == identity
            ? "\"\(product)\"" : ".product(name: \"\(product)\", package: \"\(identity)\")"
        let path = PathText.path(to: owner.path, from: package.path)
        return "add \(dependency) to the dependencies at \(place)"
            + (tree.declares(package, owner)
                ? "" : ", and .package(path: \"\(path)\") to the package's dependencies")
    }

    /// The product to declare for a module of another package: preferably the product with the name of the module's
    /// target.
    private func product(_ module: String, of owner: LocalPackage) -> String? {
        guard let target = owner.targets.first(where: { $0.module == module })?.name else { return nil }
        let products = owner.manifest.products.filter { $0.targets.contains(target) }
        return (products.first { $0.name == target } ?? products.first)?.name
    }

    private func repair(
        _ module: String, _ target: LocalTarget, _ package: LocalPackage, _ owner: LocalPackage?
    ) -> Finding.Repair? {
        guard let owner, let imported = owner.targets.first(where: { $0.module == module }) else {
            return nil
        }
        if owner.path == package.path {
            return .add(imported.name, of: owner.path, to: target.name, in: package.path)
        }
        guard imported.kind == .regular, owner.role != .imp || package.role == .app else { return nil }
        return product(module, of: owner).map { .add($0, of: owner.path, to: target.name, in: package.path) }
    }
}
