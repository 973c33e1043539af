import ModuleTree

/// A mediator facade depends only on the mediator, and on the pages that it returns.
struct FacadeAloneRule: Rule {
    let id = "facade-alone"
    let group = RuleGroup.layers
    let subject = RuleSubject.facades
    let why = "a facade only names a module's actions, so that callers do not depend on the module"
    let source: String? = "2-GLMediator"
    let explanation = """
        A package `Packages/Common/XxxActions` may depend on Mediator and on Pages, and on nothing else.

        Breaks it:  Packages/Common/JourneyActions depends on JourneyApi
        Fix it:     pass plain values through the mediator and remove the dependency.
        """

    func findings(in context: RuleContext) -> [Finding] {
        context.graph.edges.compactMap { edge in
            let (from, to) = (context.tree.packages[edge.from], context.tree.packages[edge.to])
            guard from.role == .facade, !edge.isTest, !["Mediator", "Pages"].contains(to.name) else {
                return nil
            }
            return finding(
                edge, "the facade \(from.name) depends on \(to.name)",
                fix: "remove the dependency; a facade only turns plain values into calls to Mediator")
        }
    }
}
