import URLGrammar

extension Mediator {
    /// The local call: calls an action of a target.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: Plain values, closures, data: anything Sendable that both sides know without each other.
    ///   - shouldCacheTarget: Whether a target that is made on demand is kept for the next call. When one
    ///     is kept already, it answers, whatever this says. Two first calls at once may make two; one is
    ///     kept, and both calls use it. No effect on targets that are installed as tables.
    /// - Returns: What the action returns. When target or action does not exist: what the target's
    ///   `notFound` action returns (its parameters are the call's, with `@target` and `@action`), else
    ///   what the not-found handler returns.
    /// - Throws: ``MediatorError`` when the call is refused: `targetNotFound`, `actionNotFound`,
    ///   `needsAwait` for an async action; and `badParameter` in place of a ``ParameterError`` that the
    ///   action throws. Any other error of the action comes as it was thrown.
    /// - Complexity: O(1): two look-ups; and making the target, when it is made on demand.
    @discardableResult
    public func performTarget(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false
    ) throws -> (any Sendable)? {
        try perform(
            MediatorCall(target: target, action: action, params: params, scheme: nil),
            caching: shouldCacheTarget)
    }

    /// The local call, for async actions and others.
    ///
    /// It runs on the caller's actor up to the action.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: The parameters.
    ///   - shouldCacheTarget: Whether a target that is made on demand is kept.
    /// - Returns: What the action returns; see the form without `await`.
    /// - Throws: ``MediatorError`` and the action's errors, as in the form without `await`, never
    ///   `needsAwait`.
    @discardableResult
    public nonisolated(nonsending) func performTarget(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false
    ) async throws -> (any Sendable)? {
        try await perform(
            MediatorCall(target: target, action: action, params: params, scheme: nil),
            caching: shouldCacheTarget)
    }

    /// The local call, with a result of a known type, for facades.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: The parameters.
    ///   - shouldCacheTarget: Whether a target that is made on demand is kept.
    ///   - type: The type of the result; an optional one where the action may return nil.
    /// - Returns: What the action returns.
    /// - Throws: As the form without a type, and ``MediatorError`` `unexpectedResult`.
    public func performTarget<T: Sendable>(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, returning type: T.Type
    ) throws -> T {
        let result = try performTarget(
            target, action: action, params: params, shouldCacheTarget: shouldCacheTarget)
        return try typed(result, target: target, action: action)
    }

    /// The local call, with a result of a known type, for async actions and others.
    ///
    /// - Parameters:
    ///   - target: The target's name.
    ///   - action: The action's name.
    ///   - params: The parameters.
    ///   - shouldCacheTarget: Whether a target that is made on demand is kept.
    ///   - type: The type of the result; an optional one where the action may return nil.
    /// - Returns: What the action returns.
    /// - Throws: As the form without a type, and ``MediatorError`` `unexpectedResult`.
    public nonisolated(nonsending) func performTarget<T: Sendable>(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, returning type: T.Type
    ) async throws -> T {
        let result = try await performTarget(
            target, action: action, params: params, shouldCacheTarget: shouldCacheTarget)
        return try typed(result, target: target, action: action)
    }

    /// The remote call: `scheme://target/action?key=value`, from outside the app.
    ///
    /// Only actions that are installed as remote are reached, and only when no guard refuses. The
    /// parameters are the query's: texts, or `[String]` where a name is repeated. Names that begin with
    /// `@` are reserved and dropped; the mediator itself puts `@url` (the text of the URL) there and, when
    /// there are any, `@options`. Targets are not cached.
    ///
    /// - Parameters:
    ///   - url: The URL's text (`url.absoluteString`), any bytes at all. Scheme, target and exactly one
    ///     action, in the grammar of `AppURL`; a port makes it invalid, a fragment is ignored.
    ///   - options: What came with the URL; the action finds it under `@options`, a
    ///     `[String: any Sendable]`.
    /// - Returns: What the action returns, as for a local call. A target's own `notFound` answers only
    ///   when it is installed as remote.
    /// - Throws: ``MediatorError``: `badURL`, `notTargetAction`, `localOnly`, `denied`, and those of a
    ///   local call. Nothing was called then, and after `localOnly` and `denied` no target was made; so of a
    ///   target that is made on demand every action without a mark is `localOnly`, even one that it lacks,
    ///   unless its `notFound` is remote.
    @discardableResult
    public func openUrl(_ url: String, options: [String: any Sendable] = [:]) throws -> (any Sendable)? {
        try perform(remoteCall(url, options), caching: false)
    }

    /// The remote call, for async actions and others.
    ///
    /// It runs on the caller's actor up to the action.
    ///
    /// - Parameters:
    ///   - url: The URL's text.
    ///   - options: What came with the URL.
    /// - Returns: What the action returns.
    /// - Throws: As the form without `await`, never `needsAwait`.
    @discardableResult
    public nonisolated(nonsending) func openUrl(
        _ url: String, options: [String: any Sendable] = [:]
    ) async throws -> (any Sendable)? {
        try await perform(remoteCall(url, options), caching: false)
    }
}

extension Mediator {
    private func perform(_ call: MediatorCall, caching: Bool) throws -> (any Sendable)? {
        switch try resolve(call, caching: caching) {
        case .action(let action, let call): try run(action, call)
        case .handler(let handler, let error): try handler(call, error)
        }
    }

    private nonisolated(nonsending) func perform(
        _ call: MediatorCall, caching: Bool
    ) async throws -> (any Sendable)? {
        switch try resolve(call, caching: caching) {
        case .action(.async(let action), let call):
            do {
                return try await action(call.params)
            } catch let error as ParameterError {
                throw MediatorError(error, in: call)
            }
        case .action(let action, let call): return try run(action, call)
        case .handler(let handler, let error): return try handler(call, error)
        }
    }

    private func run(_ action: InstalledAction, _ call: MediatorCall) throws -> (any Sendable)? {
        guard case .sync(let closure) = action else {
            throw MediatorError(.needsAwait, target: call.target, action: call.action)
        }
        do {
            return try closure(call.params)
        } catch let error as ParameterError {
            throw MediatorError(error, in: call)
        }
    }

    private func typed<T>(_ result: (any Sendable)?, target: String, action: String) throws -> T {
        if let result = result as? T { return result }
        let found = result.map { "\(type(of: $0))" } ?? "nil"
        throw MediatorError(
            .unexpectedResult, target: target, action: action, detail: "\(found), expected \(T.self)")
    }

    /// Takes a URL apart into the call it stands for.
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
