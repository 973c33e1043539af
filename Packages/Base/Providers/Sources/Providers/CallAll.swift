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
    ///   - condition: Which providers to call; by default all. Asked before the first call is made.
    ///   - body: The call. Runs on the caller's thread, under no lock.
    /// - Returns: What each returned, in the order of the calls.
    @discardableResult
    public func callAll<Value>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) -> Value
    ) -> [Value] {
        snapshot.registered.filter(condition).map { body($0.implementation) }
    }

    /// Calls every provider, whether others fail or not.
    ///
    /// ```swift
    /// try loggers.callAll { try $0.flush() }.get()
    /// ```
    ///
    /// - Parameters:
    ///   - condition: Which providers to call; by default all. Asked before the first call is made.
    ///   - body: The call. Runs on the caller's thread, under no lock.
    /// - Returns: What each returned or threw, in the order of the calls.
    public func callAll<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) throws(Failure) -> Value
    ) -> ProviderOutcomes<Value, Failure> {
        var entries: [ProviderOutcome<Value, Failure>] = []
        for provider in snapshot.registered.filter(condition) {
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
    ///   - condition: Which providers to call; by default all. Asked before the first call is made.
    ///   - body: The call. Runs under no lock.
    /// - Returns: What each returned, in the order of the calls.
    @discardableResult
    public nonisolated(nonsending) func callAll<Value>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) async -> Value
    ) async -> [Value] {
        var values: [Value] = []
        for provider in snapshot.registered.filter(condition) {
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
    ///   - condition: Which providers to call; by default all. Asked before the first call is made.
    ///   - body: The call. Runs under no lock.
    /// - Returns: What each returned or threw, in the order of the calls.
    public nonisolated(nonsending) func callAll<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) async throws(Failure) -> Value
    ) async -> ProviderOutcomes<Value, Failure> {
        var entries: [ProviderOutcome<Value, Failure>] = []
        for provider in snapshot.registered.filter(condition) {
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
