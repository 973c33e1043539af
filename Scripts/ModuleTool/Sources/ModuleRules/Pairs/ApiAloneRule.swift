import ModuleTree

/// An Api package depends on nothing and imports nothing but Foundation.
struct ApiAloneRule: Rule {
    let id = "api-alone"
    let group = RuleGroup.pairs
    let why = "an Api is all that callers see, so whatever it needs every caller needs (1-ApiCenter, 如何使用 1)"
    let explanation = """
        The manifest of an `XxxApi` package declares no dependency, and its sources import Foundation at \
        most. The one exception that the source document makes, Api -> IMP with a floor, is release metadata \
        and stands in VERSIONS.md.

        Breaks it:  dependencies: [.package(path: "../../Core/ApiCenter")] in RideApi
        Mend it:    remove the dependency; what needs it belongs in the IMP package.
        """

    func findings(in subject: Subject) -> [Finding] {
        subject.tree.packages.filter { $0.role == .api }.flatMap { package in
            package.manifest.dependencies.map { dependency in
                finding(
                    dependency.position.in(package.manifestPath),
                    "\(package.name) depends on \(dependency.identity)",
                    mend: "remove the dependency and move what needs it to \(package.pairName)")
            }
                + package.mainTargets.flatMap { target in
                    target.files.flatMap { index in
                        let file = subject.tree.files[index]
                        return file.facts.imports
                            .filter { $0.module != "Foundation" && $0.module != target.name }
                            .map { imported in
                                finding(
                                    file.place(imported.position),
                                    "\(package.name) imports \(imported.module)",
                                    mend: "remove the import and move what needs it to \(package.pairName)")
                            }
                    }
                }
        }
    }
}
