extension ApiCenter {
    /// Runs `operation` with IMPs that override the registered ones, for tests and previews.
    ///
    /// ```swift
    /// center.withOverrides {
    ///     $0.register(ClockApiProtocol.self, scope: .once) { FrozenClock() }
    ///     $0.removeApi(api: WeatherApiProtocol.self)
    /// } operation: {
    ///     // Here, and in the tasks started here, this center returns the frozen clock, and no weather.
    /// }
    /// ```
    ///
    /// - The first closure receives this center. Its registrations and removals take effect inside the scope only, so
    ///   a module's `register(in:)` may be called there. Each registration replaces any other of the same Api.
    /// - Edits that the operation makes to this center also take effect inside the scope only. A second registration of
    ///   an Api that the scope sees stops the process, as usual, and `replaceApi` replaces it.
    /// - The scope follows the task: child tasks and `Task { }` started inside belong to it, even if they
    ///   outlive the operation. `Task.detached`, dispatch queues and threads do not.
    /// - Scopes nest: the innermost override of an Api wins. Without an override, the registration applies.
    /// - A builder that runs inside the scope also looks up its dependencies inside the scope. Values that
    ///   `once` and `weakSingleton` build inside the scope are never returned outside, and values built
    ///   outside are never returned inside. A nested scope builds its own values again, because it may
    ///   override their dependencies.
    /// - The scope belongs to this center. Another center that is first asked for a `once` value inside the scope keeps the
    ///   value, even if its builder got an override of this center. Override both centers in such a test.
    /// - A task in the scope keeps the scope and the center alive.
    /// - A scope keeps the values that it has built until it ends, even if their registration is replaced inside.
    ///
    /// Any number of tasks may have open scopes concurrently. A scope is invisible to tasks outside it.
    ///
    /// - Throws: The error that `overrides` or `operation` throws.
    public func withOverrides<Result>(
        _ overrides: (ApiCenter) throws -> Void, operation: () throws -> Result
    ) rethrows -> Result {
        try OverrideScope.$current.withValue(.filled(in: self, by: overrides), operation: operation)
    }

    /// Runs an asynchronous `operation` with overrides, on the caller's actor. The rules of the synchronous
    /// overload apply.
    public func withOverrides<Result>(
        _ overrides: (ApiCenter) throws -> Void,
        isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        try await OverrideScope.$current.withValue(
            .filled(in: self, by: overrides), operation: operation, isolation: isolation)
    }
}
