// The calls of all providers, one after the other, in the order in which they were added. The injected
// condition does not matter to them: it is about which one to use.

extension Providers {
    /// Calls every provider with what cannot fail.
    ///
    /// ```swift
    /// loggers.callAll { $0.log("to each of them") }
    /// ```
    ///
    /// - Parameters:
    ///   - condition: Which providers to call; by default all. Asked of each when its turn comes.
    ///   - body: The call. Runs on the caller's thread, under no lock.
    /// - Returns: What each returned, in the order of the calls.
    @discardableResult @inlinable
    public func callAll<Value>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) -> Value
    ) -> [Value] {
        let registered = snapshot.registered
        var values: [Value] = []
        values.reserveCapacity(registered.count)
        for provider in registered where condition(provider) {
            values.append(body(provider.implementation))
        }
        return values
    }

    /// Calls every provider, whether others fail or not.
    ///
    /// ```swift
    /// try loggers.callAll { try $0.flush() }.get()
    /// ```
    ///
    /// - Parameters:
    ///   - condition: Which providers to call; by default all. Asked of each when its turn comes.
    ///   - body: The call. Runs on the caller's thread, under no lock.
    /// - Returns: What each returned or threw, in the order of the calls.
    @inlinable
    public func callAll<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) throws(Failure) -> Value
    ) -> ProviderOutcomes<Value, Failure> {
        let registered = snapshot.registered
        var entries: [ProviderOutcome<Value, Failure>] = []
        entries.reserveCapacity(registered.count)
        for provider in registered where condition(provider) {
            let result = Result { () throws(Failure) in try body(provider.implementation) }
            entries.append(ProviderOutcome(provider: provider.handle, result: result))
        }
        return ProviderOutcomes(entries, interface: P.self)
    }

    /// Calls every provider with what cannot fail, and waits for each before it calls the next.
    ///
    /// Runs on the caller's actor. A cancelled task calls all the same: what its cancellation means is for
    /// each provider to say.
    ///
    /// - Parameters:
    ///   - condition: Which providers to call; by default all. Asked of each when its turn comes.
    ///   - body: The call. Runs under no lock.
    /// - Returns: What each returned, in the order of the calls.
    @discardableResult @inlinable
    public nonisolated(nonsending) func callAll<Value>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) async -> Value
    ) async -> [Value] {
        let registered = snapshot.registered
        var values: [Value] = []
        values.reserveCapacity(registered.count)
        for provider in registered where condition(provider) {
            values.append(await body(provider.implementation))
        }
        return values
    }

    /// Calls every provider, whether others fail or not, and waits for each before it calls the next.
    ///
    /// Runs on the caller's actor. A cancelled task calls all the same: what its cancellation means is for
    /// each provider to say.
    ///
    /// - Parameters:
    ///   - condition: Which providers to call; by default all. Asked of each when its turn comes.
    ///   - body: The call. Runs under no lock.
    /// - Returns: What each returned or threw, in the order of the calls.
    @inlinable
    public nonisolated(nonsending) func callAll<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) async throws(Failure) -> Value
    ) async -> ProviderOutcomes<Value, Failure> {
        let registered = snapshot.registered
        var entries: [ProviderOutcome<Value, Failure>] = []
        entries.reserveCapacity(registered.count)
        for provider in registered where condition(provider) {
            let result: Result<Value, Failure>
            do throws(Failure) {
                result = .success(try await body(provider.implementation))
            } catch {
                result = .failure(error)
            }
            entries.append(ProviderOutcome(provider: provider.handle, result: result))
        }
        return ProviderOutcomes(entries, interface: P.self)
    }
}
