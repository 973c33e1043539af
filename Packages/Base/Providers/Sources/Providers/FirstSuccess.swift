extension Providers {
    /// Calls the best matching provider, and if it fails the next best, until a call succeeds.
    ///
    /// ```swift
    /// let url = try stores.firstSuccess { try $0.save(photo) }
    /// ```
    ///
    /// A provider matches if it satisfies both the injected condition and the caller's condition, which are
    /// evaluated before the first call.
    ///
    /// - Parameters:
    ///   - condition: The caller's own condition, as in ``pick(where:)``.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - body: The call of one provider. Runs on the caller's thread, outside the lock.
    /// - Returns: The result of the first call that succeeds. The errors of earlier calls are dropped.
    /// - Throws: ``ProvidersError`` if no provider matches or all matching providers fail. It contains every
    ///   error, in the order of the calls.
    @inlinable
    public func firstSuccess<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true },
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: (P) throws(Failure) -> Value
    ) throws(ProvidersError<Failure>) -> Value {
        let snapshot = snapshot
        var failures: [ProviderFailure<Failure>] = []
        for provider in snapshot.fitting(where: condition) {
            do throws(Failure) {
                return try body(provider.implementation)
            } catch {
                failures.append(ProviderFailure(provider: provider.handle, error: error))
            }
        }
        throw noSuccess(failures, among: snapshot, fileID: fileID, line: line)
    }

    /// Calls the best matching provider with an async closure, and if it fails the next best, until a call
    /// succeeds.
    ///
    /// Runs on the caller's actor. If the task is cancelled, the current call sees the cancellation. If that
    /// call then fails, no other provider is called.
    ///
    /// - Parameters:
    ///   - condition: The caller's own condition, as in ``pick(where:)``.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - body: The call of one provider. Runs outside the lock.
    /// - Returns: The result of the first call that succeeds. The errors of earlier calls are dropped.
    /// - Throws: ``ProvidersError`` if no provider matches, all matching providers fail, or one fails while the
    ///   task is cancelled. It contains every error, in the order of the calls.
    @inlinable
    public nonisolated(nonsending) func firstSuccess<Value, Failure>(
        where condition: (Provider<P>) -> Bool = { _ in true },
        fileID: StaticString = #fileID, line: UInt = #line,
        _ body: (P) async throws(Failure) -> Value
    ) async throws(ProvidersError<Failure>) -> Value {
        let snapshot = snapshot
        let candidates = snapshot.fitting(where: condition)
        var failures: [ProviderFailure<Failure>] = []
        for provider in candidates {
            do throws(Failure) {
                return try await body(provider.implementation)
            } catch {
                failures.append(ProviderFailure(provider: provider.handle, error: error))
            }
            if Task.isCancelled, failures.count < candidates.count {
                throw cancelled(failures, of: candidates.count, fileID: fileID, line: line)
            }
        }
        throw noSuccess(failures, among: snapshot, fileID: fileID, line: line)
    }

    @usableFromInline
    func noSuccess<Failure>(
        _ failures: [ProviderFailure<Failure>], among snapshot: ProviderSnapshot<P>,
        fileID: StaticString, line: UInt
    ) -> ProvidersError<Failure> {
        ProvidersError(
            code: failures.isEmpty ? .noProvider : .allFailed, interface: P.self, failures: failures,
            count: failures.isEmpty ? snapshot.registered.count : failures.count, site: "\(fileID):\(line)")
    }

    @usableFromInline
    func cancelled<Failure>(
        _ failures: [ProviderFailure<Failure>], of count: Int, fileID: StaticString, line: UInt
    ) -> ProvidersError<Failure> {
        ProvidersError(
            code: .cancelled, interface: P.self, failures: failures, count: count, site: "\(fileID):\(line)")
    }
}
