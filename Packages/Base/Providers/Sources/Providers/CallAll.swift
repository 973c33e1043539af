// These methods call every provider, one after the other, in the order in which the providers were added. They
// ignore the injected condition, which only matters for the choice of one provider.

extension Providers {
    /// Calls every provider with a closure that does not throw.
    ///
    /// ```swift
    /// loggers.callAll { $0.log("to each of them") }
    /// ```
    ///
    /// - Parameters:
    ///   - condition: Whether to call a provider; by default, all are called. Evaluated just before each call.
    ///   - body: The call of one provider. Runs on the caller's thread, outside the lock.
    /// - Returns: The providers' results, in the order of the calls.
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

    /// Calls every provider, even if some of them fail.
    ///
    /// ```swift
    /// try loggers.callAll { try $0.flush() }.get()
    /// ```
    ///
    /// - Parameters:
    ///   - condition: Whether to call a provider; by default, all are called. Evaluated just before each call.
    ///   - body: The call of one provider. Runs on the caller's thread, outside the lock.
    /// - Returns: The value that each provider returned or the error that it threw, in the order of the calls.
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

    /// Calls every provider with an async closure that does not throw, one after the other.
    ///
    /// Runs on the caller's actor. Every provider is called even if the task is cancelled, and each provider
    /// reacts to the cancellation in its own way.
    ///
    /// - Parameters:
    ///   - condition: Whether to call a provider; by default, all are called. Evaluated just before each call.
    ///   - body: The call of one provider. Runs outside the lock.
    /// - Returns: The providers' results, in the order of the calls.
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

    /// Calls every provider with an async closure, one after the other, even if some of them fail.
    ///
    /// Runs on the caller's actor. Every provider is called even if the task is cancelled, and each provider
    /// reacts to the cancellation in its own way.
    ///
    /// - Parameters:
    ///   - condition: Whether to call a provider; by default, all are called. Evaluated just before each call.
    ///   - body: The call of one provider. Runs outside the lock.
    /// - Returns: The value that each provider returned or the error that it threw, in the order of the calls.
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
