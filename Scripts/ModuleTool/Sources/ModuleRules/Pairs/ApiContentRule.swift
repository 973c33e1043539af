import ModuleTree

/// An Api package holds protocols, plain types and names.
struct ApiContentRule: Rule {
    let id = "api-content"
    let group = RuleGroup.pairs
    let why = "an Api is pure protocols, and the types that both sides share (1-ApiCenter, 说明 1 and 5)"
    let explanation = """
        An Api package holds protocols, the structs and enums that their signatures need, and constants for \
        the names of routes and notifications. No classes or actors, no kept objects, no functions with \
        behaviour. Plain are: a body of one statement without closures, loops or assignments (a value, a \
        switch between values, a forwarding call in a default implementation), an initialiser that copies its \
        arguments, and `==`, `<`, `hash(into:)` and `encode(to:)`. A constant is a literal, or made from \
        literals: `Notification.Name("ride.refresh")`.

        Breaks it:  public static let shared = RideStore()
        Mend it:    keep the object in the IMP and offer it through the protocol.
        """

    func findings(in subject: Subject) -> [Finding] {
        subject.tree.packages.filter { $0.role == .api }.flatMap(\.mainTargets).flatMap(\.files)
            .map { subject.tree.files[$0] }
            .flatMap { file in
                file.facts.impurities.map {
                    finding(file.place($0.position), $0.what, mend: $0.mend)
                }
            }
    }
}
