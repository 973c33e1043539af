import Foundation
import Locking

/// Gets a new token when the server no longer takes the old one. However many requests are refused at once, it
/// runs once; all of them then go again, once, or all fail with its error. It has a time limit of its own, so that one
/// that never ends keeps nobody from a new token for ever.
///
/// What the closure itself sends through any service does not wait for a refresh and starts none. It shall be
/// sent before the closure returns, in its task or one that inherits task-local values.
///
/// All operations are safe from every thread.
public final class APITokenRefresh: Sendable {
    @TaskLocal static var isRunning = false

    private struct State {
        var generation = 0
        var running: Task<Result<Void, APIError>, Never>?
        /// How many have started or joined the one that runs.
        var waiters = 0
    }

    private let state = Locked(State())
    /// Whether a status means that the token is no longer taken.
    let isRefused: @Sendable (Int) -> Bool
    private let timeout: Duration?
    private let refresh: @Sendable () async throws -> Void

    /// A refresh.
    ///
    /// - Parameters:
    ///   - isRefused: Whether a status means that the token is no longer taken. 401 by default.
    ///   - timeout: How long a refresh may take, on the clock of the service that starts it; nil: for ever. When it is
    ///     over, the closure's task is cancelled, all who wait fail with ``APIError/timedOut``, and the next who is
    ///     refused starts another. What the closure still does counts for nothing.
    ///   - refresh: Gets the new token and stores it where an ``APITokenAccessory`` finds it.
    public init(
        when isRefused: @escaping @Sendable (_ statusCode: Int) -> Bool = { $0 == 401 },
        timeout: Duration? = .seconds(60), refresh: @escaping @Sendable () async throws -> Void
    ) {
        (self.isRefused, self.timeout, self.refresh) = (isRefused, timeout, refresh)
    }

    /// How many refreshes have succeeded: noted before an attempt, it tells whether its token is still the
    /// newest.
    var generation: Int { state.withLock { $0.generation } }

    /// How many have started or joined the refresh that runs, for tests.
    var waiters: Int { state.withLock { $0.waiters } }

    /// Whether an answer asks for a refresh: none does that the refresh itself gets, which the asking task tells.
    func isNeeded(for statusCode: Int) -> Bool { !Self.isRunning && isRefused(statusCode) }

    /// Starts a refresh, joins the one that runs, or does nothing when a newer token is there already. The
    /// refresh goes on when a waiter leaves: others may wait for it.
    ///
    /// - Throws: What the refresh failed with.
    func newToken(
        after generation: Int, clock: any Clock<Duration>, signal: CancelSignal
    ) async throws(APIError) {
        let running: Task<Result<Void, APIError>, Never>? = state.withLock { state in
            if state.generation > generation { return nil }
            state.waiters += 1
            if let running = state.running { return running }
            let task = Task { await self.run(clock) }
            state.running = task
            return task
        }
        guard let running else { return }
        let result = try await signal.wait { (answer: @escaping @Sendable (Result<Void, APIError>) -> Void) in
            Task { answer(await running.value) }
            return {}
        }
        try result.get()
    }

    private func run(_ clock: any Clock<Duration>) async -> Result<Void, APIError> {
        let signal = CancelSignal()
        let limit = timeout.map { timeout in
            Task {
                do { try await clock.sleep(for: timeout) } catch { return }
                signal.fire(.timedOut)
            }
        }
        defer { limit?.cancel() }
        let result: Result<Void, APIError>
        do throws(APIError) {
            try await signal.run { [refresh] in
                try await Self.$isRunning.withValue(true) { try await refresh() }
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        state.withLock { state in
            if case .success = result { state.generation += 1 }
            (state.running, state.waiters) = (nil, 0)
        }
        return result
    }
}
