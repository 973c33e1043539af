import ModuleTree

/// Callers can name every registered type, and an app links every registration.
struct RegistrationOrphanRule: Rule {
    let id = "registration-orphan"
    let group = RuleGroup.registration
    let subject = RuleSubject.halves
    let needsWholeTree = true
    let why = """
        a registration is dead code that looks used if no app links it, or if no caller can name the \
        registered type
        """
    let explanation = """
        A registered type must be declared in a different package from the one that registers it, so that \
        callers can name the type. A package that registers a type must be linked by an app, with its \
        default traits or with an alternative IMP. A package in a layer that allows third-party packages need not \
        be linked yet.

        Breaks it:  center.register(RideInternals.self), declared in Ride itself
        Fix it:     declare the protocol in RideApi.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let tree = context.tree
        guard tree.hasPairs else { return [] }
        let types = try context.types.value
        let reached = Set(try context.apps.value.flatMap { app in app.modules.map(\.target.name) })
        return tree.packages.filter { $0.role != .other }.flatMap { package in
            package.mainTargets.flatMap { target in
                types.calls(in: target, of: package).flatMap { file, calls in
                    calls.filter(\.kind.isRegistration).compactMap { call -> Finding? in
                        guard let written = call.type else { return nil }
                        let type = types.full(written, in: file, of: target.name)
                        let place = file.place(call.position)
                        if package.role != .app,
                            types.module(of: type).flatMap({ tree.package(ofModule: $0) })?.path
                                ?? package.path
                                == package.path
                        {
                            return finding(
                                place, "\(written) is registered, but no caller can name it",
                                fix: "declare it in \(tree.api(of: package)?.name ?? package.apiName), "
                                    + "or remove the registration")
                        }
                        guard !reached.contains(target.name), !package.isAdapter else { return nil }
                        return finding(
                            place, "\(written) is registered by \(target.name), which no app links",
                            fix:
                                "add \(package.name) to the pairs in \(tree.names.apps.first?.manifest ?? "Package.swift"), "
                                + "and run Scripts/modules registrations"
                        )
                    }
                }
            }
        }
    }
}
