import ModuleTree

/// Every import is declared by its target.
struct ImportDeclaredRule: Rule {
    let id = "import-declared"
    let group = RuleGroup.imports
    let why = """
        an import that no manifest declares builds by chance, and fails at link time once the other module is \
        left out (4-LayeredComponents, 独立业务层: dependencies are declared)
        """
    let explanation = """
        Each module of the tree that a source file imports, in whatever spelling and inside `#if` too, is the \
        target's own, or of a target or product that the target declares. The same holds for products of fetched \
        packages that another target of the tree declares.

        Breaks it:  import RideApi in a target whose dependencies do not list it
        Mend it:    add it to the target's dependencies, and its package to the package's.
        """

    func findings(in subject: Subject) -> [Finding] {
        let tree = subject.tree
        let fetched = Set(
            tree.packages.flatMap { package in
                package.targets.flatMap(\.dependencies)
                    .filter { tree.package(owning: $0, of: package) == nil }.map(\.name)
            })
        var findings: [Finding] = []
        for package in tree.packages {
            for target in package.targets {
                let declared = Set(
                    target.dependencies.flatMap { [$0.name] + tree.modules(of: $0, in: package) } + [
                        target.module
                    ])
                for file in target.files.map({ tree.files[$0] }) {
                    for imported in file.facts.imports where !declared.contains(imported.module) {
                        let owner = tree.package(ofModule: imported.module, for: package)
                        guard owner != nil || fetched.contains(imported.module) else { continue }
                        findings.append(
                            finding(
                                file.place(imported.position),
                                "\(imported.module) is imported, but the target \(target.name) does not declare it",
                                mend: mend(imported.module, target, package, owner)))
                    }
                }
            }
        }
        return findings
    }

    private func mend(
        _ module: String, _ target: LocalTarget, _ package: LocalPackage, _ owner: LocalPackage?
    ) -> String {
        let place = target.declaration.position.in(package.manifestPath)
        guard let owner else { return "add its product to the dependencies at \(place)" }
        if owner.role == .imp, package.role != .app, owner.path != package.path {
            return "import \(owner.name)Api and ask ApiCenter; only apps see an IMP"
        }
        return "add \"\(module)\" to the dependencies at \(place)"
            + (owner.path == package.path ? "" : ", and the package \(owner.path) to the package's")
    }
}
