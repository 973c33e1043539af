/// The action or the not-found handler for a call.
enum Resolution {
    case action(InstalledAction, MediatorCall)
    case handler(@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?, MediatorError)
}

/// The result of a look-up, read in one critical section so that it is consistent.
enum Finding {
    case found(InstalledAction, in: InstalledTarget)
    case noAction(notFound: InstalledAction?, in: InstalledTarget)
    case noTarget
}

extension Mediator {
    /// Finds the action or handler for a call, or throws if the call is refused.
    func resolve(_ call: MediatorCall, caching: Bool) throws(MediatorError) -> Resolution {
        let error: MediatorError
        var isAdmitted = !call.isRemote
        switch try look(for: call, caching: caching, &isAdmitted) {
        case .found(let action, let installed):
            if call.isRemote, !installed.remote.contains(call.action) { throw localOnly(call) }
            if !isAdmitted { try askGuards(call) }
            return .action(action, call)
        case .noAction(let notFound?, let installed)
        where !call.isRemote || installed.remote.contains(Self.notFoundAction):
            if !isAdmitted { try askGuards(call) }
            let names: [String: any Sendable] = ["@target": call.target, "@action": call.action]
            let params = call.params.merging(names) { $1 }
            return .action(
                notFound,
                MediatorCall(target: call.target, action: call.action, params: params, scheme: call.scheme))
        case .noAction(_, let installed)
        where call.isRemote && installed.isCreatedOnDemand && !installed.remote.contains(call.action):
            // The error must not depend on whether the target happens to be cached.
            throw localOnly(call)
        case .noAction: error = MediatorError(.actionNotFound, target: call.target, action: call.action)
        case .noTarget: error = MediatorError(.targetNotFound, target: call.target, action: call.action)
        }
        guard let handler = state.withLock({ $0.notFound }) else { throw error }
        return .handler(handler, error)
    }

    /// Looks up the action of a call, and creates the target if necessary.
    ///
    /// A refused call from outside must not create a target. Therefore the remote marks and the guards are
    /// checked before a target is created; `isAdmitted` is then set, so that the guards are asked only once.
    private func look(
        for call: MediatorCall, caching: Bool, _ isAdmitted: inout Bool
    ) throws(MediatorError) -> Finding {
        let (action, target) = (call.action, call.target)
        enum Step {
            case done(Finding)
            case make(InstalledTarget, @Sendable () -> ActionTable)
        }
        let step = state.withLock { state -> Step in
            guard let installed = state.targets[target] else { return .done(.noTarget) }
            switch installed.source {
            case .table(let table): return .done(Finding(action, in: table, of: installed))
            case .factory(let make):
                if let table = state.cached[target] {
                    return .done(Finding(action, in: table, of: installed))
                }
                return .make(installed, make)
            }
        }
        switch step {
        case .done(let finding): return finding
        case .make(let installed, let make):
            if !isAdmitted {
                guard installed.remote.contains(action) || installed.remote.contains(Self.notFoundAction)
                else {
                    throw localOnly(call)
                }
                try askGuards(call)
                isAdmitted = true
            }
            let made = make()
            let table = caching ? keep(made, for: installed) : made
            return Finding(action, in: table, of: installed)
        }
    }

    /// Caches a table that was just created, and returns the table to use for the call.
    private func keep(_ made: ActionTable, for installed: InstalledTarget) -> ActionTable {
        state.withLock { state in
            // If the target was removed or replaced meanwhile, its table is used for this call but not
            // cached.
            guard state.targets[installed.name] === installed else { return made }
            if let earlier = state.cached[installed.name] { return earlier }
            state.cached[installed.name] = made
            return made
        }
    }

    private func localOnly(_ call: MediatorCall) -> MediatorError {
        MediatorError(.localOnly, target: call.target, action: call.action)
    }

    private func askGuards(_ call: MediatorCall) throws(MediatorError) {
        for check in state.withLock({ $0.guards }) {
            if let reason = check(call) {
                throw MediatorError(.denied, target: call.target, action: call.action, detail: reason)
            }
        }
    }
}

extension Finding {
    fileprivate init(_ action: String, in table: ActionTable, of installed: InstalledTarget) {
        if let found = table[action] {
            self = .found(found, in: installed)
        } else {
            self = .noAction(notFound: table[Mediator.notFoundAction], in: installed)
        }
    }
}
