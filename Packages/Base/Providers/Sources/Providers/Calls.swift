// The calls of several providers. Each call uses the providers that are in the set when it begins, calls them one
// after the other outside the lock, and has an async form that runs on the caller's actor.

extension Providers {
    /// Calls every provider, in the order in which they were added, regardless of the injected condition.
    ///
    /// ```swift
    /// loggers.callAll { $0.log("to each of them") }
    /// ```
    ///
    /// - Parameters:
    ///   - condition: Whether to call a provider; by default, all are called. Evaluated just before each call.
    ///   - body: The call of one provider.
    /// - Returns: The providers' results, in the order of the calls.
    @discardableResult @inlinable
    public func callAll<Value>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) -> Value
    ) -> [Value] {
        var values: [Value] = []
        for provider in all where condition(provider) { values.append(body(provider.implementation)) }
        return values
    }

    /// Calls every provider with an async closure. Every provider is called even if the task is cancelled.
    @discardableResult @inlinable
    public nonisolated(nonsending) func callAll<Value>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) async -> Value
    ) async -> [Value] {
        var values: [Value] = []
        for provider in all where condition(provider) { values.append(await body(provider.implementation)) }
        return values
    }

    /// Calls every provider, even if some of them fail.
    ///
    /// ```swift
    /// try loggers.callAll { try $0.flush() }.get()
    /// ```
    ///
    /// - Returns: The value that each provider returned or the error that it threw, in the order of the calls.
    public func callAll<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) throws(Failure) -> Value
    ) -> ProviderOutcomes<Value, Failure> {
        var outcomes = ProviderOutcomes<Value, Failure>(interface: P.self)
        for provider in all where condition(provider) {
            let result = Result { () throws(Failure) in try body(provider.implementation) }
            outcomes.results.append((provider.handle, result))
        }
        return outcomes
    }

    /// Calls every provider with an async closure, even if some of them fail. Every provider is called even if
    /// the task is cancelled.
    public nonisolated(nonsending) func callAll<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true }, _ body: (P) async throws(Failure) -> Value
    ) async -> ProviderOutcomes<Value, Failure> {
        var outcomes = ProviderOutcomes<Value, Failure>(interface: P.self)
        for provider in all where condition(provider) {
            do throws(Failure) {
                outcomes.results.append((provider.handle, .success(try await body(provider.implementation))))
            } catch {
                outcomes.results.append((provider.handle, .failure(error)))
            }
        }
        return outcomes
    }

    /// Calls the best matching provider, and if it fails the next best, until a call succeeds.
    ///
    /// ```swift
    /// let url = try stores.firstSuccess { try $0.save(photo) }
    /// ```
    ///
    /// - Parameters:
    ///   - condition: The caller's own condition, as in ``pick(where:)``.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - body: The call of one provider.
    /// - Returns: The result of the first call that succeeds. The errors of earlier calls are dropped.
    /// - Throws: ``ProvidersError`` if no provider matches or all matching providers fail. It contains every
    ///   error, in the order of the calls.
    public func firstSuccess<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true },
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: (P) throws(Failure) -> Value
    ) throws(ProvidersError<Failure>) -> Value {
        var failures: [ProviderFailure<Failure>] = []
        for provider in matches(where: condition) {
            do throws(Failure) {
                return try body(provider.implementation)
            } catch {
                failures.append(ProviderFailure(provider: provider.handle, error: error))
            }
        }
        throw noSuccess(failures, site: "\(fileID):\(line)")
    }

    /// Calls the best matching provider with an async closure, and if it fails the next best, until a call
    /// succeeds. If a call fails in a cancelled task, no other provider is called.
    public nonisolated(nonsending) func firstSuccess<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true },
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: (P) async throws(Failure) -> Value
    ) async throws(ProvidersError<Failure>) -> Value {
        var failures: [ProviderFailure<Failure>] = []
        let matches = matches(where: condition)
        for provider in matches {
            do throws(Failure) {
                return try await body(provider.implementation)
            } catch {
                failures.append(ProviderFailure(provider: provider.handle, error: error))
            }
            if Task.isCancelled, failures.count < matches.count {
                throw ProvidersError(
                    code: .cancelled, interface: P.self, failures: failures, count: matches.count,
                    site: "\(fileID):\(line)")
            }
        }
        throw noSuccess(failures, site: "\(fileID):\(line)")
    }

    /// All providers that satisfy the injected condition and the caller's condition, the best first.
    private func matches(where condition: (Provider<P>) -> Bool) -> [Provider<P>] {
        let contents = contents.withLock { $0 }
        let injected = contents.condition?.test()
        return contents.ranked.filter { injected?($0) ?? true && condition($0) }
    }

    private func noSuccess<Failure>(
        _ failures: [ProviderFailure<Failure>], site: String
    ) -> ProvidersError<Failure> {
        ProvidersError(
            code: failures.isEmpty ? .noProvider : .allFailed, interface: P.self, failures: failures,
            count: failures.isEmpty ? all.count : failures.count, site: site)
    }
}
