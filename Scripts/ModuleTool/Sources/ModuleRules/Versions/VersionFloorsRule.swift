import ModuleTree

/// Modules require each other by floors.
struct VersionFloorsRule: Rule {
    let id = "version-floors"
    let group = RuleGroup.versions
    let why =
        "only where every requirement is a floor can the app force one version for all (1-ApiCenter, 如何减少依赖冲突)"
    let explanation = """
        A manifest that fetches a package of this tree, or any whose name ends in Api, requires it with \
        `from:` or an open range; never exact, by branch or revision, up to the next minor, or in a closed range.

        Breaks it:  .package(url: "https://github.com/o/RideApi", exact: "1.2.0")
        Mend it:    .package(url: "https://github.com/o/RideApi", from: "1.2.0")
        """

    func findings(in subject: Subject) -> [Finding] {
        let tree = subject.tree
        return tree.packages.flatMap { package in
            package.manifest.dependencies.compactMap { dependency in
                guard let pin = dependency.requirement?.pin else { return nil }
                let isOurs = tree.package(dependency.identity) != nil
                guard tree.hasPairs, isOurs || dependency.identity.hasSuffix("api") else { return nil }
                return finding(
                    dependency.position.in(package.manifestPath),
                    "\(package.name) pins \(dependency.identity): \(pin)",
                    mend: "require a floor: from: \"...\"")
            }
        }
    }
}
