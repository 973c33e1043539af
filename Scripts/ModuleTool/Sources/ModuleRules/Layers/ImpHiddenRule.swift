import ModuleTree

/// Nobody but apps and its own tests sees an IMP.
struct ImpHiddenRule: Rule {
    let id = "imp-hidden"
    let group = RuleGroup.layers
    let why = "other libraries may depend on the Api alone, never on the IMP (1-ApiCenter, 说明 3)"
    let explanation = """
        No package but an app depends on or imports an IMP, not in its tests either. Callers use the Api and ask \
        ApiCenter; tests use a fake of the protocol.

        Breaks it:  import Ride in Packages/Business/Journey
        Mend it:    import RideApi, and ask center.api(type: RideApiProtocol.self).
        """

    func findings(in subject: Subject) -> [Finding] {
        subject.graph.edges.compactMap { edge in
            let (from, to) = (subject.tree.packages[edge.from], subject.tree.packages[edge.to])
            guard to.role == .imp, from.role != .app, from.role != .api else { return nil }
            let api = subject.tree.api(of: to)?.name ?? to.name + "Api"
            return finding(
                edge, "\(from.name)\(edge.isTest ? "'s tests depend" : " depends") on the IMP \(to.name)",
                mend: "depend on \(api) instead, and ask ApiCenter for its protocol")
        }
    }
}
