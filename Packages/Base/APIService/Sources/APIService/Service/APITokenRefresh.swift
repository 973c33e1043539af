import Foundation
import Locking

/// Gets a new token when the server no longer takes the old one. However many requests are refused at once, it
/// runs once; all of them then go again, once, or all fail with its error.
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
    }

    private let state = Locked(State())
    private let isRefused: @Sendable (Int) -> Bool
    private let refresh: @Sendable () async throws -> Void

    /// A refresh.
    ///
    /// - Parameters:
    ///   - isRefused: Whether a status means that the token is no longer taken. 401 by default.
    ///   - refresh: Gets the new token and stores it where an ``APITokenAccessory`` finds it.
    public init(
        when isRefused: @escaping @Sendable (_ statusCode: Int) -> Bool = { $0 == 401 },
        refresh: @escaping @Sendable () async throws -> Void
    ) {
        (self.isRefused, self.refresh) = (isRefused, refresh)
    }

    /// How many refreshes have succeeded: noted before an attempt, it tells whether its token is still the
    /// newest.
    var generation: Int { state.withLock { $0.generation } }

    /// Whether an answer asks for a refresh.
    func isNeeded(for statusCode: Int) -> Bool { !Self.isRunning && isRefused(statusCode) }

    /// Starts a refresh, joins the one that runs, or does nothing when a newer token is there already. The
    /// refresh goes on when a waiter leaves: others may wait for it.
    ///
    /// - Throws: What the refresh failed with.
    func newToken(after generation: Int, signal: CancelSignal) async throws(APIError) {
        let running: Task<Result<Void, APIError>, Never>? = state.withLock { state in
            if state.generation > generation { return nil }
            if let running = state.running { return running }
            let task = Task { await self.run() }
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

    private func run() async -> Result<Void, APIError> {
        let result: Result<Void, APIError>
        do {
            try await Self.$isRunning.withValue(true) { try await refresh() }
            result = .success(())
        } catch {
            result = .failure(APIError(building: error))
        }
        state.withLock { state in
            if case .success = result { state.generation += 1 }
            state.running = nil
        }
        return result
    }
}
