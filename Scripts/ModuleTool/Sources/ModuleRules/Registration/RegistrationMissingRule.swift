import ModuleTree

/// Every Api that an app requests is registered.
struct RegistrationMissingRule: Rule {
    let id = "registration-missing"
    let group = RuleGroup.registration
    let subject = RuleSubject.apps
    let needsWholeTree = true
    let why = "a missing registration shows only at run time, when the Api is nil"
    let source: String? = "1-ApiCenter, 如何使用 3"
    let explanation = """
        The rule checks every app with its default traits, and with each alternative IMP in place of the \
        original. For each `api(type: X.self)` and `requireApi(type: X.self)` in the linked modules, these \
        modules must contain a `registerApi(type: X.self)` or `register(X.self)` whose `#if` conditions hold \
        whenever the request's conditions do. A registration in a branch, such as the body of an `if`, counts \
        only if the other branches register the type too. Registrations in an IMP count only if the app \
        instantiates the IMP's module type. Whether a registration actually runs at launch is left to the \
        module's tests.

        Breaks it:  center.api(type: RideApiProtocol.self), and no RideModule() in the app's list
        Fix it:     run Scripts/modules registrations, or register the protocol in an IMP.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        guard context.tree.hasPairs else { return [] }
        var findings: [Finding] = []
        var reported: Set<String> = []
        for app in try context.apps.value {
            let registrations = Dictionary(grouping: app.registrations, by: \.type)
            for (type, requests) in Dictionary(grouping: app.requests, by: \.type).sorted(by: {
                $0.key < $1.key
            }) {
                let makers = registrations[type] ?? []
                let lost = requests.filter { request in
                    Condition.possibilities([request.condition] + makers.map(\.condition)).contains { on in
                        request.condition.holds(on) && !makers.contains { $0.condition.holds(on) }
                    }
                }
                guard let first = lost.first, reported.insert(app.target.name + type).inserted else {
                    continue
                }
                findings.append(
                    finding(
                        first.place,
                        "\(type) is requested, but \(app.target.name) with \(app.selection.name) does not "
                            + (makers.isEmpty ? "register it" : "register it under all conditions"),
                        fix: fix(type, app, context.tree),
                        notes: makers.map { .init($0.place, "registered here, under a condition") }
                            + elsewhere(type, in: context.tree, but: makers)
                            + lost.dropFirst().prefix(4).map { .init($0.place, "also requested here") }))
            }
        }
        return findings
    }

    private func fix(_ type: String, _ app: LinkedApp, _ tree: Tree) -> String {
        let pair = type.split(separator: ".").first.map(String.init).flatMap { tree.package(ofModule: $0) }?
            .pairName
        guard let pair, tree.package(pair) != nil else {
            return "register it with center.register(_:) in the IMP's module type"
        }
        return
            "register it in \(tree.names.moduleType(pair)), and run Scripts/modules registrations, so that "
            + "\(app.target.name) instantiates that type"
    }

    /// Notes for up to three registrations of the type that have no effect in this app.
    private func elsewhere(_ type: String, in tree: Tree, but known: [LinkedApp.Use]) -> [Finding.Note] {
        let name = type.split(separator: ".").last.map(String.init) ?? type
        return tree.packages.flatMap { package in
            package.sources.flatMap { file in
                file.facts.calls.filter { call in
                    call.kind.isRegistration
                        && (call.type == name || call.type?.hasSuffix("." + name) == true)
                }.map { file.place($0.position) }
            }
        }.filter { place in !known.contains { $0.place == place } }.prefix(3).map {
            .init($0, "registered here, but not in this app")
        }
    }
}
