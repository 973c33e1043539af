import APITransport
import Locking

/// Ends a request early, when the caller cancels it or its time limit is exceeded. The signal fires at most
/// once and keeps its reason.
///
/// A request waits for one operation at a time, always with ``wait(_:)``, so that no transport, interceptor or
/// accessory can keep it from ending.
///
/// All operations are thread-safe.
final class CancelSignal: Sendable {
    private struct State {
        var reason: APIError?
        var handler: (@Sendable (APIError) -> Void)?
    }

    private let state = Locked(State())

    /// The reason why the signal has fired; `nil` if it has not.
    var reason: APIError? { state.withLock { $0.reason } }

    /// - Throws: The signal's reason, if it has fired.
    func check() throws(APIError) {
        if let reason { throw reason }
    }

    /// Fires the signal. Does nothing if it has already fired.
    func fire(_ reason: APIError) {
        let handler = state.withLock { state -> (@Sendable (APIError) -> Void)? in
            guard state.reason == nil else { return nil }
            state.reason = reason
            return state.handler
        }
        handler?(reason)
    }

    /// Calls `handler` when the signal fires, or immediately if it has fired. Replaces the previous handler.
    func onFire(_ handler: @escaping @Sendable (APIError) -> Void) {
        let reason = state.withLock { state in
            state.handler = handler
            return state.reason
        }
        if let reason { handler(reason) }
    }

    /// Starts an operation and waits for its result or for the signal, whichever comes first.
    ///
    /// - Parameter begin: Starts the operation and returns a closure that cancels it. Receives the callback for the
    ///   result; only the callback's first call has an effect. Not called if the signal has already fired.
    /// - Throws: The signal's reason.
    nonisolated(nonsending) func wait<T: Sendable>(
        _ begin: (@escaping @Sendable (T) -> Void) -> @Sendable () -> Void
    ) async throws(APIError) -> T {
        try check()
        let answer = FirstAnswer<Result<T, APIError>>()
        let cancelOperation = begin { answer.give(.success($0)) }
        if answer.isOpen {
            onFire { reason in
                if answer.give(.failure(reason)) { cancelOperation() }
            }
            await answer.settled()
            state.withLock { $0.handler = nil }
        }
        return try answer.value.get()
    }

    /// Runs an operation in its own task and waits for its result or for the signal, whichever comes first. If the
    /// signal fires, the task is cancelled, and this method does not wait for the task to end.
    ///
    /// - Throws: The signal's reason.
    nonisolated(nonsending) func run<T: Sendable>(
        _ operation: @escaping @Sendable () async -> T
    ) async throws(APIError) -> T {
        try await wait { answer in
            let task = Task { answer(await operation()) }
            return { task.cancel() }
        }
    }
}
