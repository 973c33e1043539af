/// What is different inside a scope: IMPs that stand in for the registered ones, and Apis that are absent.
///
/// Made and filled by ``ApiCenter/withOverrides(_:operation:)-(_,()->Result)``. The last word on an Api
/// counts.
public struct ApiOverrides: Sendable {
    /// The override of an Api; without a box the Api is absent.
    struct Entry {
        let type: Any.Type
        let box: AnyApiBox?
    }

    private(set) var entries: [ObjectIdentifier: Entry] = [:]

    /// Inside the scope `type` is answered by this builder, whether or not it is registered outside.
    public mutating func registerApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable () -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        registerApi(type: type, impBuilder: { _ in impBuilder() }, fileID: fileID, line: line)
    }

    /// Overrides by a builder that is handed the center it is asked from.
    public mutating func registerApi<T>(
        type: T.Type, impBuilder: @escaping @Sendable (ApiCenter) -> T,
        fileID: StaticString = #fileID, line: UInt = #line
    ) {
        let box = ApiBox<T>(site: CallSite(fileID: fileID, line: line), build: impBuilder)
        entries[box.key] = Entry(type: T.self, box: box)
    }

    /// Inside the scope `api` is absent, as if its module were not in the app.
    public mutating func removeApi<T>(api: T.Type) {
        entries[ObjectIdentifier(T.self)] = Entry(type: T.self, box: nil)
    }
}

extension ApiCenter {
    /// Runs `operation` with other IMPs than the registered ones, for tests and previews.
    ///
    /// ```swift
    /// center.withOverrides {
    ///     $0.registerApi(type: ClockApiProtocol.self) { FrozenClock() }
    /// } operation: {
    ///     // Here, and in the tasks started here, this center answers with the frozen clock.
    /// }
    /// ```
    ///
    /// - The scope follows the task: child tasks and `Task { }` started inside are in it, also when they
    ///   outlive the operation. `Task.detached`, dispatch queues and threads are outside.
    /// - Scopes nest; the innermost word on an Api counts, then the next one out, then what is registered.
    /// - A builder that runs inside the scope asks inside it too. What `once` and
    ///   `weakSingleton` build inside is kept for the scope and never seen outside it, nor the
    ///   other way round. A scope within a scope builds anew, too: it may have overridden what is built with.
    /// - A task that is in the scope keeps the scope and the center alive.
    /// - Registering, replacing and removing on the center itself is for everyone, inside a scope or not.
    ///
    /// Any number of scopes may be open at once, in as many tasks; none sees another's.
    public func withOverrides<Result>(
        _ overrides: (inout ApiOverrides) throws -> Void, operation: () throws -> Result
    ) rethrows -> Result {
        var changes = ApiOverrides()
        try overrides(&changes)
        return try ApiScope.$current.withValue(
            ApiScope(center: self, overrides: changes), operation: operation)
    }

    /// The same for an operation that suspends. It runs where the caller runs.
    public func withOverrides<Result>(
        _ overrides: (inout ApiOverrides) throws -> Void,
        isolation: isolated (any Actor)? = #isolation,
        operation: () async throws -> Result
    ) async rethrows -> Result {
        var changes = ApiOverrides()
        try overrides(&changes)
        return try await ApiScope.$current.withValue(
            ApiScope(center: self, overrides: changes), operation: operation, isolation: isolation)
    }
}
