import ModuleTree

/// An IMP depends on the Api that it implements.
struct ImpOwnApiRule: Rule {
    let id = "imp-own-api"
    let group = RuleGroup.pairs
    let subject = RuleSubject.imps
    let why = "the IMP must depend on its Api and implement it"
    let source: String? = "1-ApiCenter, 说明 1 and 5"
    let explanation = """
        The package `Xxx` and its target must both declare a dependency on `XxxApi`.

        Breaks it:  Packages/Business/Ride without .package(path: "../RideApi")
        Fix it:     add the dependency to the package and to the target.
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.tree.packages.filter { $0.role == .imp }.compactMap { package in
            guard let api = context.tree.package(package.apiName) else { return nil }
            let target = package.targets.first { $0.name == package.name }
            if target?.dependencies.contains(where: { $0.name == api.name }) ?? false { return nil }
            return finding(
                (target?.declaration.position ?? Position()).in(package.manifestPath),
                "\(package.name) does not depend on its own \(api.name)",
                fix:
                    "add .package(path: \"../\(api.name)\") to the package and \"\(api.name)\" to the target")
        }
    }
}
