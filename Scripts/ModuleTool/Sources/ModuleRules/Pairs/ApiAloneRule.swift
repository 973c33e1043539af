import ModuleTree

/// An Api package depends on nothing and imports nothing but Foundation.
struct ApiAloneRule: Rule {
    let id = "api-alone"
    let group = RuleGroup.pairs
    let why =
        "callers depend on the Api alone, and inherit every dependency that it has (1-ApiCenter, 如何使用 1)"
    let explanation = """
        The manifest of an `XxxApi` package must not declare dependencies, and its sources may import only \
        Foundation. The source document allows an Api one dependency, on its IMP with a floor. That \
        dependency is release metadata, which VERSIONS.md records.

        Breaks it:  dependencies: [.package(path: "../../Core/ApiCenter")] in RideApi
        Fix it:     remove the dependency, and move the code that needs it to the IMP package.
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.tree.packages.filter { $0.role == .api }.flatMap { package in
            package.manifest.dependencies.map { dependency in
                finding(
                    dependency.position.in(package.manifestPath),
                    "\(package.name) depends on \(dependency.identity)",
                    fix: "remove the dependency and move the code that needs it to \(package.pairName)")
            }
                + package.mainTargets.flatMap { target in
                    target.files.flatMap { index in
                        let file = context.tree.files[index]
                        return file.facts.imports
                            .filter { $0.module != "Foundation" && $0.module != target.name }
                            .map { imported in
                                finding(
                                    file.place(imported.position),
                                    "\(package.name) imports \(imported.module)",
                                    fix: "remove the import and move the code that needs it to "
                                        + package.pairName)
                            }
                    }
                }
        }
    }
}
