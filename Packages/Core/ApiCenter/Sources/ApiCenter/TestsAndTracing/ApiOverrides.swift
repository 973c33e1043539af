/// The overrides of a scope: IMPs that replace the registered ones, and Apis that are absent.
///
/// Created by ``ApiCenter/withOverrides(_:operation:)-(_,()->Result)``, which passes it to its first closure.
/// If an Api is overridden more than once, the last override wins.
public struct ApiOverrides: Sendable {
    /// The override of one Api. If `box` is nil, the Api is absent.
    struct Entry {
        let type: Any.Type
        let box: AnyApiBox?
    }

    private(set) var entries: [ObjectIdentifier: Entry] = [:]

    /// Overrides the IMP of `type` inside the scope, whether or not `type` is registered outside. `scope` sets the
    /// lifetime of the new IMP.
    public mutating func register<T>(
        _ type: T.Type, scope: ApiScope<T> = .each, impBuilder: @escaping @Sendable (ApiCenter) -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let site = CallSite(fileID: fileID, line: line)
        let box = ApiBox<T>(site: site, build: scope.wrap(impBuilder, site))
        entries[box.key] = Entry(type: T.self, box: box)
    }

    /// Overrides the IMP of `type` with a builder that does not need the center.
    public mutating func register<T>(
        _ type: T.Type, scope: ApiScope<T> = .each, impBuilder: @escaping @Sendable () -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        register(type, scope: scope, impBuilder: { _ in impBuilder() }, fileID: fileID, line: line)
    }

    /// Overrides the IMP of `type` with one that is built on the main actor. The rules of the function `onMain` apply.
    public mutating func register<T>(
        _ type: T.Type, scope: MainApiScope<T>,
        impBuilder: @escaping @MainActor @Sendable (ApiCenter) -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        register(
            type, scope: scope.scope, impBuilder: onMain(impBuilder, fileID: fileID, line: line),
            fileID: fileID, line: line)
    }

    /// Overrides the IMP of `type` with a builder that runs on the main actor and does not need the center.
    public mutating func register<T>(
        _ type: T.Type, scope: MainApiScope<T>, impBuilder: @escaping @MainActor @Sendable () -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        register(type, scope: scope, impBuilder: { _ in impBuilder() }, fileID: fileID, line: line)
    }

    /// Makes `api` absent inside the scope, as if its module were not in the app.
    public mutating func removeApi<T>(api: T.Type) {
        entries[ObjectIdentifier(T.self)] = Entry(type: T.self, box: nil)
    }
}

extension ApiCenter {
    /// Runs `operation` with IMPs that override the registered ones, for tests and previews.
    ///
    /// ```swift
    /// center.withOverrides {
    ///     $0.register(ClockApiProtocol.self, scope: .once) { FrozenClock() }
    /// } operation: {
    ///     // Here, and in the tasks started here, this center returns the frozen clock.
    /// }
    /// ```
    ///
    /// - The scope follows the task: child tasks and `Task { }` started inside belong to it, even if they
    ///   outlive the operation. `Task.detached`, dispatch queues and threads do not.
    /// - Scopes nest: the innermost override of an Api wins. Without an override, the registration applies.
    /// - A builder that runs inside the scope also looks up its dependencies inside the scope. Values that
    ///   `once` and `weakSingleton` build inside the scope are never visible outside, and values built
    ///   outside are never visible inside. A nested scope builds its own values again, because it may
    ///   override their dependencies.
    /// - A task in the scope keeps the scope and the center alive.
    /// - Registrations, replacements and removals on the center itself affect all callers, inside and outside the
    ///   scope.
    ///
    /// Any number of tasks may have open scopes concurrently. A scope is invisible to tasks outside it.
    ///
    /// - Throws: The error that `overrides` or `operation` throws.
    public func withOverrides<Result>(
        _ overrides: (inout ApiOverrides) throws -> Void, operation: () throws -> Result
    ) rethrows -> Result {
        var changes = ApiOverrides()
        try overrides(&changes)
        return try OverrideScope.$current.withValue(
            OverrideScope(center: self, overrides: changes), operation: operation)
    }

    /// Runs an asynchronous `operation` with overrides, on the caller's actor. The rules of the synchronous
    /// overload apply.
    public func withOverrides<Result>(
        _ overrides: (inout ApiOverrides) throws -> Void,
        isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        var changes = ApiOverrides()
        try overrides(&changes)
        return try await OverrideScope.$current.withValue(
            OverrideScope(center: self, overrides: changes), operation: operation, isolation: isolation)
    }
}
