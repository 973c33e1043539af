import ModuleTree

/// Nobody registers an Api twice in one app.
struct RegistrationDoubleRule: Rule {
    let id = "registration-double"
    let group = RuleGroup.registration
    let why =
        "a protocol has one IMP in an app; the second registration would stop it at launch (1-ApiCenter)"
    let explanation = """
        In every app, with its default traits and with each alternative IMP in its original's place, a type is \
        registered once. Registrations under conditions that exclude each other (`#if DEBUG` and `#else`) are not \
        double.

        Breaks it:  PayType and PayTypeCashless, both on by default, both registering PayTypeApiProtocol
        Mend it:    take one of the traits out of the default ones, or remove a registration.
        """

    func findings(in subject: Subject) throws -> [Finding] {
        guard subject.tree.hasPairs else { return [] }
        return try subject.apps.value.flatMap { app in
            Dictionary(grouping: app.registrations, by: \.type).sorted { $0.key < $1.key }.flatMap {
                type, uses in
                uses.indices.dropFirst().compactMap { index -> Finding? in
                    let use = uses[index]
                    let earlier = uses[..<index].first { other in
                        Condition.possibilities([use.condition, other.condition]).contains {
                            use.condition.holds($0) && other.condition.holds($0)
                        }
                    }
                    guard let earlier else { return nil }
                    return finding(
                        use.place,
                        "\(type) is registered twice in \(app.target.name) with \(app.selection.name)",
                        mend: "remove one of the two, or let only one of their traits be on by default",
                        notes: [.init(earlier.place, "the other registration")])
                }
            }
        }
    }
}
