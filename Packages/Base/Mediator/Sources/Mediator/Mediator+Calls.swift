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
        try table.call(
            LinkCall(target: target, action: action, parameters: params, fileID: fileID, line: line)
        ) { (call) throws(LinkError) in try finder.find(call, caching: shouldCacheTarget) }
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
        try await table.call(
            LinkCall(target: target, action: action, parameters: params, fileID: fileID, line: line)
        ) { (call) throws(LinkError) in try finder.find(call, caching: shouldCacheTarget) }
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
        return try LinkError.cast(result, to: type, name: .action(target: target, action: action))
    }

    /// Calls a target's action and casts the result. The action may be async, or run on the main actor.
    public nonisolated(nonsending) func performTarget<T: Sendable>(
        _ target: String, action: String, params: [String: any Sendable] = [:],
        shouldCacheTarget: Bool = false, as type: T.Type, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> T {
        let result = try await performTarget(
            target, action: action, params: params, shouldCacheTarget: shouldCacheTarget, fileID: fileID,
            line: line)
        return try LinkError.cast(result, to: type, name: .action(target: target, action: action))
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
        try table.call(
            LinkCall(opening: url.urlText, options: options, fileID: fileID, line: line), find: finder.find)
    }

    /// Calls the action named by a URL from outside the app. The action may be async, or run on the main actor.
    @discardableResult
    public nonisolated(nonsending) func openUrl(
        _ url: some URLText, options: [String: any Sendable] = [:],
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> (any Sendable)? {
        try await table.call(
            LinkCall(opening: url.urlText, options: options, fileID: fileID, line: line), find: finder.find)
    }
}
