/// What answers a call.
enum Resolution {
    case action(InstalledAction, MediatorCall)
    case handler(@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?, MediatorError)
}

/// What a look-up finds.
enum Finding {
    case found(InstalledAction)
    case noAction(notFound: InstalledAction?)
    case noTarget
}

extension Mediator {
    /// Finds what answers a call, and refuses it before anything is called.
    func resolve(_ call: MediatorCall, caching: Bool) throws(MediatorError) -> Resolution {
        let remote = call.isRemote ? remoteMarks(of: call.target) : nil
        let error: MediatorError
        switch look(for: call.action, of: call.target, caching: caching) {
        case .found(let action):
            if let remote, !remote.contains(call.action) {
                throw MediatorError(.localOnly, target: call.target, action: call.action)
            }
            try askGuards(call)
            return .action(action, call)
        case .noAction(let notFound?) where remote?.contains(Self.notFoundAction) ?? true:
            try askGuards(call)
            let params = call.params.merging(["@target": call.target, "@action": call.action]) { $1 }
            return .action(
                notFound,
                MediatorCall(target: call.target, action: call.action, params: params, scheme: call.scheme))
        case .noAction: error = MediatorError(.actionNotFound, target: call.target, action: call.action)
        case .noTarget: error = MediatorError(.targetNotFound, target: call.target, action: call.action)
        }
        guard let handler = state.withLock({ $0.notFound }) else { throw error }
        return .handler(handler, error)
    }

    /// Finds an action, making the target when it has to be made.
    func look(for action: String, of target: String, caching: Bool) -> Finding {
        enum Step {
            case done(Finding)
            case make(InstalledTarget, @Sendable () -> ActionTable)
        }
        let step = state.withLock { state -> Step in
            guard let installed = state.targets[target] else { return .done(.noTarget) }
            switch installed.source {
            case .table(let table): return .done(Finding(action, in: table))
            case .made(let make):
                if let table = state.cached[target] { return .done(Finding(action, in: table)) }
                return .make(installed, make)
            }
        }
        guard case .make(let installed, let make) = step else {
            guard case .done(let finding) = step else { return .noTarget }
            return finding
        }
        let made = make()
        guard caching else { return Finding(action, in: made) }
        let kept = state.withLock { state -> ActionTable in
            // Removed or replaced while it was made: it answers this call and is not kept.
            guard state.targets[target] === installed else { return made }
            if let earlier = state.cached[target] { return earlier }
            state.cached[target] = made
            return made
        }
        return Finding(action, in: kept)
    }

    private func remoteMarks(of target: String) -> Set<String> {
        state.withLock { $0.targets[target]?.remote ?? [] }
    }

    private func askGuards(_ call: MediatorCall) throws(MediatorError) {
        guard call.isRemote else { return }
        for check in state.withLock({ $0.guards }) {
            if let reason = check(call) {
                throw MediatorError(.denied, target: call.target, action: call.action, detail: reason)
            }
        }
    }
}

extension Finding {
    init(_ action: String, in table: ActionTable) {
        if let found = table[action] {
            self = .found(found)
        } else {
            self = .noAction(notFound: table[Mediator.notFoundAction])
        }
    }
}
