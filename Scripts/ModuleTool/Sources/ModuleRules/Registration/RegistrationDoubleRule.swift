import ModuleTree

/// No Api is registered twice in one app.
struct RegistrationDoubleRule: Rule {
    let id = "registration-double"
    let group = RuleGroup.registration
    let subject = RuleSubject.apps
    let needsWholeTree = true
    let why = "a protocol has one IMP in an app; a second registration would stop the app at launch"
    let source: String? = "1-ApiCenter"
    let explanation = """
        An app may register a type only once, with its default traits as well as with each alternative IMP \
        in place of the original. Two registrations whose conditions exclude each other (`#if DEBUG` and \
        `#else`) are not a double registration. Registrations in layers that allow third-party packages do not \
        count, because an app may choose at launch between an IMP and the client of a remote one.

        Breaks it:  PayType and PayTypeCashless, both on by default, both registering PayTypeApiProtocol
        Fix it:     remove one of the two traits from the default traits, or remove a registration.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        guard context.tree.hasPairs else { return [] }
        return try context.apps.value.flatMap { app in
            // An app may choose at launch between an IMP and its client in another process.
            let registrations = app.registrations.filter { !$0.package.isAdapter }
            return Dictionary(grouping: registrations, by: \.type).sorted { $0.key < $1.key }.flatMap {
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
                        fix: "remove one of the registrations, or enable only one of the traits by default",
                        notes: [.init(earlier.place, "the other registration")])
                }
            }
        }
    }
}
