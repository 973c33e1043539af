// Methods that call several providers, one after another. The async forms run on the caller's actor.

extension Providers {
    /// Calls all providers in the order they were added, regardless of the injected condition.
    ///
    /// - Returns: The providers' results, in the order of the calls.
    @discardableResult @inlinable
    public func callAll<Value>(_ body: (P) -> Value) -> [Value] {
        var values: [Value] = []
        for provider in all { values.append(body(provider.implementation)) }
        return values
    }

    /// Calls every provider with an async closure. Every provider is called even if the task is cancelled.
    @discardableResult @inlinable
    public nonisolated(nonsending) func callAll<Value>(_ body: (P) async -> Value) async -> [Value] {
        var values: [Value] = []
        for provider in all { values.append(await body(provider.implementation)) }
        return values
    }

    /// Calls every provider, even if some of them fail: `try loggers.callAll { try $0.flush() }.get()`.
    ///
    /// - Returns: Each provider's value or error, in the order of the calls.
    public func callAll<Value, Failure>(
        _ body: (P) throws(Failure) -> Value
    ) -> ProviderOutcomes<Value, Failure> {
        var outcomes = ProviderOutcomes<Value, Failure>(interface: P.self)
        for provider in all {
            outcomes.results.append(
                (provider.handle, Result { () throws(Failure) in try body(provider.implementation) }))
        }
        return outcomes
    }

    /// Calls every provider with an async closure, even if some of them fail or the task is cancelled.
    public nonisolated(nonsending) func callAll<Value, Failure>(
        _ body: (P) async throws(Failure) -> Value
    ) async -> ProviderOutcomes<Value, Failure> {
        var outcomes = ProviderOutcomes<Value, Failure>(interface: P.self)
        for provider in all {
            do throws(Failure) {
                outcomes.results.append((provider.handle, .success(try await body(provider.implementation))))
            } catch {
                outcomes.results.append((provider.handle, .failure(error)))
            }
        }
        return outcomes
    }

    /// Calls the best provider that satisfies the injected condition. If the call fails, calls the next best
    /// provider, until a call succeeds.
    ///
    /// - Returns: The result of the first call that succeeds. The errors of earlier calls are dropped.
    /// - Throws: ``ProvidersError`` with every provider's error, if all matching providers fail or no provider matches.
    public func firstSuccess<Value, Failure>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: (P) throws(Failure) -> Value
    ) throws(ProvidersError<Failure>) -> Value {
        var failures: [ProviderFailure<Failure>] = []
        for provider in matches {
            do throws(Failure) {
                return try body(provider.implementation)
            } catch {
                failures.append(ProviderFailure(provider: provider.handle, error: error))
            }
        }
        throw ProvidersError(interface: P.self, failures: failures, site: "\(fileID):\(line)")
    }

    /// Calls the best provider with an async closure. If the call fails, calls the next best provider, until a call
    /// succeeds. If a call fails in a cancelled task, no other provider is called.
    public nonisolated(nonsending) func firstSuccess<Value, Failure>(
        fileID: StaticString = #fileID, line: UInt = #line, _ body: (P) async throws(Failure) -> Value
    ) async throws(ProvidersError<Failure>) -> Value {
        var failures: [ProviderFailure<Failure>] = []
        for provider in matches {
            do throws(Failure) {
                return try await body(provider.implementation)
            } catch {
                failures.append(ProviderFailure(provider: provider.handle, error: error))
            }
            if Task.isCancelled { break }
        }
        throw ProvidersError(interface: P.self, failures: failures, site: "\(fileID):\(line)")
    }

    /// The providers that satisfy the injected condition, best first.
    private var matches: [Provider<P>] {
        let ranked = contents.withLock { $0.ranked }
        return condition.map { ranked.filter($0()) } ?? ranked
    }
}
