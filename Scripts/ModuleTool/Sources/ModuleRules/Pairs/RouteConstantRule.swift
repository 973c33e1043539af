import ModuleTree

/// An IMP writes its routes under the constants of its Api.
struct RouteConstantRule: Rule {
    let id = "route-constant"
    let group = RuleGroup.pairs
    let subject = RuleSubject.imps
    let why = """
        callers link only the Api, so a route's name is a constant of the Api; these constants also tell an app \
        the routes of absent modules
        """
    let source: String? = "4-LayeredComponents"
    let explanation = """
        The first argument of each `.route(…) { … }` in the package `Xxx` must be a constant of the enum \
        `XxxRoute` in `XxxApi`. An alternative uses the constants of the Api that it implements.

        Breaks it:  .route("ride_vc") { _ in ["page": "RideVC"] }
        Fix it:     .route(RideRoute.main) { _ in ["page": "RideVC"] }
        """

    func findings(in context: RuleContext) -> [Finding] {
        let tree = context.tree
        return tree.packages.filter { $0.role == .imp }.flatMap { package -> [Finding] in
            guard let api = tree.api(of: package) else { return [] }
            let routes = api.pairName + "Route"
            return package.sources.flatMap { file in
                file.facts.routes.filter {
                    !$0.pattern.hasPrefix(routes + ".") && !$0.pattern.hasPrefix("\(api.name).\(routes).")
                }.map { route in
                    finding(
                        file.place(route.position),
                        "the route \(route.pattern) of \(package.name) is not a constant of \(api.name)",
                        fix:
                            "declare the route in `public enum \(routes)` of \(api.name), and write "
                            + ".route(\(routes).name)"
                    )
                }
            }
        }
    }
}
