extension Providers {
    /// Fail-over: calls the best provider that fits, on an error the next best, and so on.
    ///
    /// ```swift
    /// let url = try stores.firstSuccess { try $0.save(photo) }
    /// ```
    ///
    /// Those fit that the injected condition and the caller's accept; both are asked before the first call.
    ///
    /// - Parameters:
    ///   - condition: The caller's own condition, as with ``pick(where:)``.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - body: The call. Runs on the caller's thread, under no lock.
    /// - Returns: What the first provider that did not fail returned. The errors of those before it are
    ///   dropped; they are no error of the call.
    /// - Throws: ``ProvidersError`` when none fits, or all that fit have failed: with every error, in the
    ///   order of the calls.
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

    /// Fail-over with calls that wait: calls the best provider that fits, on an error the next best, and so
    /// on. Runs on the caller's actor.
    ///
    /// When the task is cancelled, the provider at work learns of it; if that one then fails, the next is not
    /// called.
    ///
    /// - Parameters:
    ///   - condition: The caller's own condition, as with ``pick(where:)``.
    ///   - fileID: The caller's file, for the error.
    ///   - line: The caller's line, for the error.
    ///   - body: The call. Runs under no lock.
    /// - Returns: What the first provider that did not fail returned. The errors of those before it are
    ///   dropped; they are no error of the call.
    /// - Throws: ``ProvidersError`` when none fits, all that fit have failed, or one has failed in a task
    ///   that is cancelled: with every error, in the order of the calls.
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
