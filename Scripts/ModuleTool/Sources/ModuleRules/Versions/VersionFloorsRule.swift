import ModuleTree

/// Modules require only a minimum version of each other.
struct VersionFloorsRule: Rule {
    let id = "version-floors"
    let group = RuleGroup.versions
    let subject = RuleSubject.remotes
    let why = "an app can impose one version on all modules only if every requirement is a floor"
    let source: String? = "1-ApiCenter, 如何减少依赖冲突"
    let explanation = """
        A manifest that fetches a package of this tree, or any package whose name ends in Api, must \
        require it with `from:` or with a range that ends at a major version. An exact version, a branch, \
        a revision, `.upToNextMinor` or any other range is a finding.

        Breaks it:  .package(url: "https://github.com/o/RideApi", exact: "1.2.0")
        Fix it:     .package(url: "https://github.com/o/RideApi", from: "1.2.0")
        """

    func findings(in context: RuleContext) -> [Finding] {
        let tree = context.tree
        let suffix = tree.names.apiSuffix.lowercased()
        return tree.packages.flatMap { package in
            package.manifest.dependencies.compactMap { dependency in
                guard let pin = dependency.requirement?.pin else { return nil }
                let isOurs = tree.package(dependency.identity) != nil
                guard tree.hasPairs, isOurs || dependency.identity.hasSuffix(suffix) else { return nil }
                return finding(
                    dependency.position.in(package.manifestPath),
                    "\(package.name) pins \(dependency.identity): \(pin)",
                    fix: "require a minimum version instead: from: \"...\"")
            }
        }
    }
}
