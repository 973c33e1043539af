import ApiCenter
import Links

extension Mediator {
    /// Calls a target's action from inside the app.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: Sendable values whose types the caller and the action both know: plain values, closures or
    ///     data.
    ///   - shouldCacheTarget: Whether to cache the target's state, if it has one. A call uses cached state even if
    ///     this argument is false. Two concurrent first calls may create two states, of which one is cached and
    ///     used by both calls.
    ///   - fileID: The caller's file, for the observer.
    ///   - line: The caller's line, for the observer.
    /// - Returns: The action's result. If the target lacks the action, the result of the target's `notFound`
    ///   action, which receives the call's parameters plus `@target` and `@action`. If the target does not exist, or
    ///   has no `notFound` action either, the result of the mediator's not-found handler.
    /// - Throws: ``MediatorError`` with `targetNotFound`, `actionNotFound`, `needsAwait` for an async action,
    ///   `needsMainActor` for a main-actor action that is called off the main actor, or `badParameter` in
    ///   place of a ``ParameterError`` that the action throws. Other errors of the action are rethrown
    ///   unchanged.
    /// - Complexity: O(1), plus the cost of creating the target's state.
    @discardableResult
    public func performTarget(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> (any Sendable)? {
        try perform(
            MediatorCall(target: target, action: action, params: params, scheme: nil),
            caching: shouldCacheTarget, CallSite(fileID: fileID, line: line))
    }

    /// Calls a target's action from inside the app. The action may be async, or run on the main actor.
    ///
    /// The lookup and synchronous actions run on the caller's actor. Parameters, result and errors are those of the
    /// synchronous overload, except `needsAwait` and `needsMainActor`.
    @discardableResult
    public nonisolated(nonsending) func performTarget(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> (any Sendable)? {
        try await perform(
            MediatorCall(target: target, action: action, params: params, scheme: nil),
            caching: shouldCacheTarget, CallSite(fileID: fileID, line: line))
    }

    /// Calls a target's action and casts the result, for use by facades. A facade passes its own caller's `fileID` and
    /// `line` on, so that the observer sees who called the facade.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: The parameters.
    ///   - shouldCacheTarget: Whether to cache the target's state, if it has one.
    ///   - type: The type of the result. Use an optional type if the action may return nil.
    ///   - fileID: The caller's file, for the observer.
    ///   - line: The caller's line, for the observer.
    /// - Returns: The action's result.
    /// - Throws: The same errors as the overload without `as`, and ``MediatorError`` with
    ///   `unexpectedResult` if the result has another type.
    public func performTarget<T: Sendable>(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, as type: T.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> T {
        let result = try performTarget(
            target, action: action, params: params, shouldCacheTarget: shouldCacheTarget, fileID: fileID,
            line: line)
        return try typed(result, target: target, action: action)
    }

    /// Calls a target's action and casts the result. The action may be async, or run on the main actor.
    public nonisolated(nonsending) func performTarget<T: Sendable>(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, as type: T.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        let result = try await performTarget(
            target, action: action, params: params, shouldCacheTarget: shouldCacheTarget, fileID: fileID,
            line: line)
        return try typed(result, target: target, action: action)
    }

    /// Calls the action named by a URL from outside the app: `scheme://target/action?key=value`.
    ///
    /// The action must be written `from: .outside`, and the guard must not deny the call. The target is compared without
    /// case, because systems lower-case hosts. The parameters come from the query: a `String`, or a `[String]` for a
    /// repeated name. Names that begin with `@` are reserved and dropped. The mediator adds the URL's text as `@url`,
    /// and the options, if any, as `@options`. If the call creates a state, the state is not cached.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`, in the grammar of `AppURL`. It must have a scheme, a
    ///     target and exactly one action; any other text is an error. A fragment is ignored.
    ///   - options: The options that came with the URL. The action receives them as `@options`, a
    ///     `[String: any Sendable]`.
    ///   - fileID: The caller's file, for the observer.
    ///   - line: The caller's line, for the observer.
    /// - Returns: The action's result, as for a local call. A target's `notFound` action is called only if it
    ///   is open to calls from outside.
    /// - Throws: ``MediatorError`` with `badURL`, `notTargetAction`, `localOnly`, `denied`, or one of the errors
    ///   of a local call. A call that throws `localOnly` or `denied` neither calls an action nor creates a state.
    @discardableResult
    public func openUrl(
        _ url: some URLText, options: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> (any Sendable)? {
        let site = CallSite(fileID: fileID, line: line)
        return try perform(remoteCall(url.urlText, options, site), caching: false, site)
    }

    /// Calls the action named by a URL from outside the app. The action may be async, or run on the main actor.
    @discardableResult
    public nonisolated(nonsending) func openUrl(
        _ url: some URLText, options: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> (any Sendable)? {
        let site = CallSite(fileID: fileID, line: line)
        return try await perform(remoteCall(url.urlText, options, site), caching: false, site)
    }
}

/// A call that has begun: its action is looked up, and the observer knows of it.
private struct BegunCall {
    /// The action's handler; one that calls the not-found handler or throws, if no action may be called.
    let handler: Handler
    let input: Link.Call
    let call: MediatorCall
    let end: (@Sendable ((any Error)?) -> Void)?

    func ended(_ value: (any Sendable)?) -> (any Sendable)? {
        if let end { end(nil) }
        return value
    }

    /// Converts an error into the one for the caller, and tells the observer of it.
    func failed(_ error: any Error) -> any Error {
        let reason: MediatorError.Reason? =
            switch error {
            case let error as ParameterError: .badParameter(error)
            case HandlerError.needsAwait: .needsAwait
            case HandlerError.needsMainActor: .needsMainActor
            default: nil
            }
        let error = reason.map { MediatorError($0, target: call.target, action: call.action) } ?? error
        if let end { end(error) }
        return error
    }
}

extension Mediator {
    private func perform(
        _ call: MediatorCall, caching: Bool, _ site: CallSite
    ) throws -> (any Sendable)? {
        let call = begin(call, caching: caching, site)
        do { return call.ended(try call.handler.call(call.input)) } catch { throw call.failed(error) }
    }

    private nonisolated(nonsending) func perform(
        _ call: MediatorCall, caching: Bool, _ site: CallSite
    ) async throws -> (any Sendable)? {
        let call = begin(call, caching: caching, site)
        do { return call.ended(try await call.handler.call(call.input)) } catch { throw call.failed(error) }
    }

    /// Finds the call's action, tells the observer, and asks the guard. A call that is not allowed creates no state.
    private func begin(_ call: MediatorCall, caching: Bool, _ site: CallSite) -> BegunCall {
        var call = call
        let (target, hooks) = state.withLock { state in
            if call.isRemote, let name = state.names[call.target] { call.target = name }
            return (state.targets[call.target], state.hooks)
        }
        var link = target?.actions[call.action]
        if link == nil, let fallback = target?.actions[Self.notFoundAction],
            !call.isRemote || fallback.callers == .outside
        {
            (call.params["@target"], call.params["@action"]) = (call.target, call.action)
            link = fallback
        }
        let url = call.isRemote ? call.params["@url"] as? String : nil
        let end = hooks.observer?(
            LinkCall(
                caller: site, requested: url ?? "\(call.target)/\(call.action)",
                link: link?.name, module: target?.site.module, isRemote: call.isRemote))
        var input = Link.Call(Parameters(call.params))
        let handler: Handler
        if let target, let link {
            if let refusal = refusal(of: call, to: link, hooks) {
                handler = .sync { _ in throw refusal }
            } else {
                input = Link.Call(
                    input.parameters, state: targetState(for: link, of: target, caching: caching))
                handler = link.handler
            }
        } else {
            let (call, error) = (call, notFound(call, target))
            handler = .sync { _ in
                guard let notFound = hooks.notFound else { throw error }
                return try notFound(call, error)
            }
        }
        return BegunCall(handler: handler, input: input, call: call, end: end)
    }

    /// The error of a remote call that may not reach the link; nil if it may.
    private func refusal(of call: MediatorCall, to link: Link, _ hooks: Hooks) -> MediatorError? {
        if !call.isRemote { return nil }
        let reason =
            link.callers == .outside
            ? hooks.check?(call).map(MediatorError.Reason.denied) : MediatorError.Reason.localOnly
        return reason.map { MediatorError($0, target: call.target, action: call.action) }
    }

    private func notFound(_ call: MediatorCall, _ target: InstalledTarget?) -> MediatorError {
        if let target {
            let folded = call.action.lowercased()
            let similar = target.actions.keys.sorted().first { $0.lowercased() == folded }
            return MediatorError(.actionNotFound, target: call.target, action: call.action, similar: similar)
        }
        let similar = state.withLock { $0.names[call.target.lowercased()] }
        return MediatorError(.targetNotFound, target: call.target, action: call.action, similar: similar)
    }

    /// The state for a call to an action: the cached state, or a new one. Nil for an action without state.
    private func targetState(
        for action: Link, of target: InstalledTarget, caching: Bool
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

    private func typed<T>(_ result: (any Sendable)?, target: String, action: String) throws -> T {
        if let result = result as? T { return result }
        throw MediatorError(
            .unexpectedResult(expected: "\(T.self)", found: result.map { "\(type(of: $0))" } ?? "nil"),
            target: target, action: action)
    }

    /// Parses a URL into the call that it describes.
    private func remoteCall(
        _ text: String, _ options: [String: any Sendable], _ site: CallSite
    ) throws(MediatorError) -> MediatorCall {
        let url: AppURL
        do {
            url = try AppURL(text)
        } catch {
            throw observed(MediatorError(.badURL(error)), text, site)
        }
        guard let scheme = url.scheme, let target = url.host, url.path.count == 1,
            let action = url.path.first
        else { throw observed(MediatorError(.notTargetAction(text)), text, site) }
        var params = url.queryValues()
        for key in params.keys where AppURL.isReserved(key) { params[key] = nil }
        params["@url"] = text
        if !options.isEmpty { params["@options"] = options }
        return MediatorCall(target: target, action: action, params: params, scheme: scheme)
    }

    /// Tells the observer of a text that is not a remote call.
    private func observed(_ error: MediatorError, _ text: String, _ site: CallSite) -> MediatorError {
        let observer = state.withLock { $0.hooks.observer }
        observer?(LinkCall(caller: site, requested: text, link: nil, module: nil, isRemote: true))(error)
        return error
    }
}
