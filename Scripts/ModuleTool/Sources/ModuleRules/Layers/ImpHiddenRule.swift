import ModuleTree

/// An IMP is used only by apps and by its own tests.
struct ImpHiddenRule: Rule {
    let id = "imp-hidden"
    let group = RuleGroup.layers
    let subject = RuleSubject.imps
    let why = "other libraries may depend only on the Api, never on the IMP"
    let source: String? = "1-ApiCenter, 说明 3"
    let explanation = """
        Only apps may depend on or import an IMP; other packages may not, and neither may their tests. \
        Callers depend on the Api and get the implementation from ApiCenter; tests use a fake of the \
        protocol.

        Breaks it:  import Ride in Packages/Business/Journey
        Fix it:     import RideApi, and call center.api(type: RideApiProtocol.self).
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.graph.edges.compactMap { edge in
            let (from, to) = (context.tree.packages[edge.from], context.tree.packages[edge.to])
            guard to.role == .imp, from.role != .app, from.role != .api else { return nil }
            let api = context.tree.api(of: to)?.name ?? to.apiName
            return finding(
                edge, "\(from.name)\(edge.isTest ? "'s tests depend" : " depends") on the IMP \(to.name)",
                fix: "depend on \(api) instead, and get the implementation from ApiCenter")
        }
    }
}
