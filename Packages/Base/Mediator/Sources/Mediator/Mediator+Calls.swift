import Offers
import URLGrammar

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
        shouldCacheTarget: Bool = false
    ) throws -> (any Sendable)? {
        try perform(
            MediatorCall(target: target, action: action, params: params, scheme: nil),
            caching: shouldCacheTarget)
    }

    /// Calls a target's action from inside the app. The action may be async, or run on the main actor.
    ///
    /// The lookup and synchronous actions run on the caller's actor.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: The parameters.
    ///   - shouldCacheTarget: Whether to cache the target's state, if it has one.
    /// - Returns: The same result as the synchronous overload.
    /// - Throws: The same errors as the synchronous overload, except `needsAwait` and `needsMainActor`.
    @discardableResult
    public nonisolated(nonsending) func performTarget(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false
    ) async throws -> (any Sendable)? {
        try await perform(
            MediatorCall(target: target, action: action, params: params, scheme: nil),
            caching: shouldCacheTarget)
    }

    /// Calls a target's action and casts the result, for use by facades.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: The parameters.
    ///   - shouldCacheTarget: Whether to cache the target's state, if it has one.
    ///   - type: The type of the result. Use an optional type if the action may return nil.
    /// - Returns: The action's result.
    /// - Throws: The same errors as the overload without `as`, and ``MediatorError`` with
    ///   `unexpectedResult` if the result has another type.
    public func performTarget<T: Sendable>(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, as type: T.Type
    ) throws -> T {
        let result = try performTarget(
            target, action: action, params: params, shouldCacheTarget: shouldCacheTarget)
        return try typed(result, target: target, action: action)
    }

    /// Calls a target's action and casts the result. The action may be async, or run on the main actor.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: The parameters.
    ///   - shouldCacheTarget: Whether to cache the target's state, if it has one.
    ///   - type: The type of the result. Use an optional type if the action may return nil.
    /// - Returns: The action's result.
    /// - Throws: The same errors as the overload without `as`, and ``MediatorError`` with
    ///   `unexpectedResult` if the result has another type.
    public nonisolated(nonsending) func performTarget<T: Sendable>(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, as type: T.Type
    ) async throws -> T {
        let result = try await performTarget(
            target, action: action, params: params, shouldCacheTarget: shouldCacheTarget)
        return try typed(result, target: target, action: action)
    }

    /// Calls the action named by a URL from outside the app: `scheme://target/action?key=value`.
    ///
    /// The action must be offered `from: .outside`, and no guard may deny the call. The parameters come from the
    /// query: a `String`, or a `[String]` for a repeated name. Names that begin with `@` are reserved and dropped.
    /// The mediator adds the URL's text as `@url`, and the options, if any, as `@options`. If the call creates a
    /// state, the state is not cached.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`, in the grammar of `AppURL`. It must have a scheme, a
    ///     target, exactly one action and no port; any other text is an error. A fragment is ignored.
    ///   - options: The options that came with the URL. The action receives them as `@options`, a
    ///     `[String: any Sendable]`.
    /// - Returns: The action's result, as for a local call. A target's `notFound` action is called only if it
    ///   is offered `from: .outside`.
    /// - Throws: ``MediatorError`` with `badURL`, `notTargetAction`, `localOnly`, `denied`, or one of the errors
    ///   of a local call. A call that throws `localOnly` or `denied` neither calls an action nor creates a state.
    @discardableResult
    public func openUrl(
        _ url: some URLText, options: [String: any Sendable] = [:]
    ) throws -> (any Sendable)? {
        try perform(remoteCall(url.urlText, options), caching: false)
    }

    /// Calls the action named by a URL from outside the app. The action may be async, or run on the main actor.
    ///
    /// The lookup, guards and synchronous actions run on the caller's actor.
    ///
    /// - Parameters:
    ///   - url: The URL as a string or a Foundation `URL`.
    ///   - options: The options that came with the URL.
    /// - Returns: The action's result.
    /// - Throws: The same errors as the synchronous overload, except `needsAwait` and `needsMainActor`.
    @discardableResult
    public nonisolated(nonsending) func openUrl(
        _ url: some URLText, options: [String: any Sendable] = [:]
    ) async throws -> (any Sendable)? {
        try await perform(remoteCall(url.urlText, options), caching: false)
    }
}

extension Mediator {
    private func perform(_ call: MediatorCall, caching: Bool) throws -> (any Sendable)? {
        switch try resolve(call) {
        case .action(let action, let target, let call):
            let state = targetState(for: action, of: target, caching: caching)
            do {
                return try action.handler.call(Offer.Call(call.params, state: state))
            } catch {
                throw told(error, call)
            }
        case .handler(let handler, let error): return try handler(call, error)
        }
    }

    private nonisolated(nonsending) func perform(
        _ call: MediatorCall, caching: Bool
    ) async throws -> (any Sendable)? {
        switch try resolve(call) {
        case .action(let action, let target, let call):
            let state = targetState(for: action, of: target, caching: caching)
            do {
                return try await action.handler.call(Offer.Call(call.params, state: state))
            } catch {
                throw told(error, call)
            }
        case .handler(let handler, let error): return try handler(call, error)
        }
    }

    /// Converts an error that a handler threw into the error for the caller.
    private func told(_ error: any Error, _ call: MediatorCall) -> any Error {
        switch error {
        case let error as ParameterError: MediatorError(error, in: call)
        case HandlerError.needsAwait:
            MediatorError(.needsAwait, target: call.target, action: call.action)
        case HandlerError.needsMainActor:
            MediatorError(.needsMainActor, target: call.target, action: call.action)
        default: error
        }
    }

    private func typed<T>(_ result: (any Sendable)?, target: String, action: String) throws -> T {
        if let result = result as? T { return result }
        throw MediatorError(
            .unexpectedResult, target: target, action: action, expected: "\(T.self)",
            found: result.map { "\(type(of: $0))" } ?? "nil")
    }

    /// Parses a URL into the call that it describes.
    private func remoteCall(
        _ text: String, _ options: [String: any Sendable]
    ) throws(MediatorError) -> MediatorCall {
        let url: AppURL
        do {
            url = try AppURL(text)
        } catch {
            throw MediatorError(
                .badURL, url: error.url, position: error.position, detail: error.explanation)
        }
        guard let scheme = url.scheme, let target = url.host, url.port == nil, url.path.count == 1,
            let action = url.path.first
        else { throw MediatorError(.notTargetAction, url: text) }
        var params = url.queryValues()
        for key in params.keys where AppURL.isReserved(key) { params[key] = nil }
        params["@url"] = text
        if !options.isEmpty { params["@options"] = options }
        return MediatorCall(target: target, action: action, params: params, scheme: scheme)
    }
}
