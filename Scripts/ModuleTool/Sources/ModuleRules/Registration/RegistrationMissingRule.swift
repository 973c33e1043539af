import ModuleTree

/// Whoever asks for an Api finds it registered.
struct RegistrationMissingRule: Rule {
    let id = "registration-missing"
    let group = RuleGroup.registration
    let why = "an Api that nobody registered is nil at run time, and only there (1-ApiCenter, 如何使用 3)"
    let explanation = """
        For every app, with its default traits and with each alternative IMP in its original's place: each \
        `api(type: X.self)` and `requireApi(type: X.self)` in what it links has a `registerApi(type: X.self)` \
        there that happens whenever the question is asked. What an IMP registers counts where the app makes its \
        module type. `#if` conditions are taken into account. Whether the launch reaches a line that registers \
        is not read from the source: the module's tests show that.

        Breaks it:  center.api(type: RideApiProtocol.self), and no RideModule() in the Shell's list
        Mend it:    Scripts/registrations, or register the protocol in an IMP.
        """

    func findings(in subject: Subject) throws -> [Finding] {
        guard subject.tree.hasPairs else { return [] }
        var findings: [Finding] = []
        var reported: Set<String> = []
        for app in try subject.apps.value {
            let registrations = Dictionary(grouping: app.registrations, by: \.type)
            for (type, questions) in Dictionary(grouping: app.questions, by: \.type).sorted(by: {
                $0.key < $1.key
            }) {
                let makers = registrations[type] ?? []
                let lost = questions.filter { question in
                    Condition.possibilities([question.condition] + makers.map(\.condition)).contains { on in
                        question.condition.holds(on) && !makers.contains { $0.condition.holds(on) }
                    }
                }
                guard let first = lost.first, reported.insert(app.target.name + type).inserted else {
                    continue
                }
                findings.append(
                    finding(
                        first.place,
                        "\(type) is asked for, but \(app.target.name) with \(app.selection.name) does not "
                            + (makers.isEmpty ? "register it" : "register it under all conditions"),
                        mend: mend(type, app, subject.tree),
                        notes: makers.map { .init($0.place, "registered here, under a condition") }
                            + elsewhere(type, in: subject.tree, but: makers)
                            + lost.dropFirst().prefix(4).map { .init($0.place, "asked for here too") }))
            }
        }
        return findings
    }

    private func mend(_ type: String, _ app: LinkedApp, _ tree: Tree) -> String {
        let pair = type.split(separator: ".").first.map(String.init).flatMap { tree.package(ofModule: $0) }?
            .pairName
        guard let pair, tree.package(pair) != nil else {
            return "register it with center.registerApi(type:) in the IMP's module type"
        }
        return "let \(app.target.name) make \(pair)Module() (Scripts/registrations), and let that register it"
    }

    /// Registrations in packages that the app does not reach or install.
    private func elsewhere(_ type: String, in tree: Tree, but known: [LinkedApp.Use]) -> [Finding.Note] {
        let name = type.split(separator: ".").last.map(String.init) ?? type
        return tree.packages.flatMap { package in
            package.mainTargets.flatMap(\.files).flatMap { index in
                let file = tree.files[index]
                return file.facts.calls.filter { call in
                    call.kind == .registerApi
                        && (call.type == name || call.type?.hasSuffix("." + name) == true)
                }.map { file.place($0.position) }
            }
        }.filter { place in !known.contains { $0.place == place } }.prefix(3).map {
            .init($0, "registered here, but not in this app")
        }
    }
}
