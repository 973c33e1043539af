import ModuleTree

/// An Api package depends on nothing and imports nothing but Foundation.
struct ApiAloneRule: Rule {
    let id = "api-alone"
    let group = RuleGroup.pairs
    let subject = RuleSubject.apis
    let why = "callers depend on the Api alone, and inherit every dependency that it has"
    let source: String? = "1-ApiCenter, 如何使用 1"
    let explanation = """
        The manifest of an `XxxApi` package must not declare dependencies, and its sources may import only \
        Foundation. The source document allows an Api one dependency, on its IMP with a floor. That \
        dependency is release metadata, which VERSIONS.md records.

        Breaks it:  dependencies: [.package(path: "../../Core/ApiCenter")] in RideApi
        Fix it:     remove the dependency, and move the code that needs it to the IMP package.
        """

    func findings(in context: RuleContext) -> [Finding] {
        var findings: [Finding] = []
        for package in context.tree.packages where package.role == .api {
            let fix = "and move the code that needs it to \(package.pairName)"
            for dependency in package.manifest.dependencies {
                findings.append(
                    finding(
                        dependency.position.in(package.manifestPath),
                        "\(package.name) depends on \(dependency.identity)",
                        fix: "remove the dependency \(fix)"))
            }
            for target in package.mainTargets {
                for file in target.files {
                    for imported in file.facts.imports
                    where imported.module != "Foundation" && imported.module != target.name {
                        findings.append(
                            finding(
                                file.place(imported.position), "\(package.name) imports \(imported.module)",
                                fix: "remove the import \(fix)"))
                    }
                }
            }
        }
        return findings
    }
}
