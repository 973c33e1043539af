import ModuleTree

/// An Api package contains only protocols, plain types and name constants.
struct ApiContentRule: Rule {
    let id = "api-content"
    let group = RuleGroup.pairs
    let why = "an Api consists of protocols and the types that both sides share (1-ApiCenter, 说明 1 and 5)"
    let explanation = """
        An Api package may contain protocols, the structs and enums in their signatures, and constants for \
        the names of routes and notifications. It must not contain classes, actors, stored objects or \
        functions with behaviour. A function may have a body of one statement without closures, loops or \
        assignments (a value, a switch between values, a forwarding call in a default implementation). \
        Initialisers that copy their arguments and the functions `==`, `<`, `hash(into:)` and \
        `encode(to:)` are allowed too. A constant must be a literal or be made from literals, such as \
        `Notification.Name("ride.refresh")`. A public constant or variable must say its type, unless it is a \
        plain literal, because the checker compares the Api's declarations as they are written.

        Breaks it:  public static let shared = RideStore()
        Fix it:     store the object in the IMP and provide it through the protocol.
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
