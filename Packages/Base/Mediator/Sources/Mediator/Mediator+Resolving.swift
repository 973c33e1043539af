/// The action or the not-found handler for a call.
enum Resolution {
    case action(InstalledAction, of: InstalledTarget, MediatorCall)
    case handler(@Sendable (MediatorCall, MediatorError) throws -> (any Sendable)?, MediatorError)
}

extension Mediator {
    /// Finds the action or not-found handler for a call. Throws if the call is not allowed, or if neither an action nor
    /// a handler exists. A call that is not allowed creates no state.
    func resolve(_ call: MediatorCall) throws(MediatorError) -> Resolution {
        let (target, handler) = state.withLock { ($0.targets[call.target], $0.notFound) }
        let code: MediatorError.Code
        if let target {
            if let action = target.actions[call.action] {
                if call.isRemote, !action.isRemote {
                    throw MediatorError(.localOnly, target: call.target, action: call.action)
                }
                try askGuards(call)
                return .action(action, of: target, call)
            }
            if let action = target.actions[Self.notFoundAction], !call.isRemote || action.isRemote {
                try askGuards(call)
                let names: [String: any Sendable] = ["@target": call.target, "@action": call.action]
                let params = call.params.merging(names) { $1 }
                return .action(
                    action, of: target,
                    MediatorCall(
                        target: call.target, action: call.action, params: params, scheme: call.scheme))
            }
            code = .actionNotFound
        } else {
            code = .targetNotFound
        }
        let error = MediatorError(code, target: call.target, action: call.action)
        guard let handler else { throw error }
        return .handler(handler, error)
    }

    /// The state for a call to an action: the cached state, or a new one. Nil for an action without state.
    func targetState(
        for action: InstalledAction, of target: InstalledTarget, caching: Bool
    ) -> (any Sendable)? {
        guard let maker = action.makeState else { return nil }
        // The target may have been removed or replaced after the call began. The state cached under the target's name
        // may then belong to the replacement.
        let cached = state.withLock { $0.targets[target.name] === target ? $0.cached[target.name] : nil }
        if let cached { return cached }
        let made = maker.make()
        guard caching else { return made }
        return state.withLock { state in
            guard state.targets[target.name] === target else { return made }
            if let earlier = state.cached[target.name] { return earlier }
            state.cached[target.name] = made
            return made
        }
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
