import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The link that fetches a new token when the server rejects the current one, and then sends the request once
/// more.
struct Refreshing: Link {
    let refresh: APITokenRefresh
    let call: Call
    let signal: CancelSignal

    func send(_ request: URLRequest, _ next: Next) async throws -> APIAnswer {
        let generation = refresh.generation
        let answer = try await next(request)
        guard refresh.isNeeded(for: answer.response.statusCode) else { return answer }
        call.journal.note(.refresh)
        try await signal.run { try await refresh.newToken(after: generation, clock: call.settings.clock) }
            .get()
        return try await next(request)
    }
}

/// Fetches a new token when the server rejects the current one.
///
/// If several requests are rejected at the same time, the refresh runs only once. Afterwards, each of these requests is
/// sent once more, or fails with the error of the refresh. A refresh has its own time limit, so that a hanging refresh
/// does not block requests forever.
///
/// Requests that the closure itself sends, through any service, neither wait for a refresh nor start one. The
/// closure must send them before it returns, in its own task or in one that inherits its task-local values.
///
/// All operations are thread-safe.
public final class APITokenRefresh: Sendable {
    @TaskLocal package static var isRunning = false

    private struct State {
        var generation = 0
        var running: Task<Result<Void, APIError>, Never>?
        /// The number of requests that have started or joined the running refresh.
        var waiters = 0
    }

    private let state = Locked(State())
    /// Whether a status code means that the server rejects the token.
    package let isRefused: @Sendable (Int) -> Bool
    private let timeout: Duration?
    private let refresh: @Sendable () async throws -> Void

    /// Creates a refresh.
    ///
    /// - Parameters:
    ///   - isRefused: Returns whether a status code means that the server rejects the token. 401 by default.
    ///   - timeout: The time limit of one refresh, on the clock of the service that starts it; `nil` means no limit.
    ///     When the limit is exceeded, the closure's task is cancelled, all waiting requests fail with
    ///     ``APIError/refreshFailed(_:)``, and the next rejected request starts a new refresh. If the closure returns
    ///     later, its result is ignored.
    ///   - refresh: Fetches the new token and stores it where an ``APITokenAccessory`` finds it.
    public init(
        when isRefused: @escaping @Sendable (_ statusCode: Int) -> Bool = { $0 == 401 },
        timeout: Duration? = .seconds(60), refresh: @escaping @Sendable () async throws -> Void
    ) {
        (self.isRefused, self.timeout, self.refresh) = (isRefused, timeout, refresh)
    }

    /// The number of refreshes that have succeeded. A request records this number before it is sent. If the server
    /// rejects the token, a higher number shows that a newer token exists.
    package var generation: Int { state.withLock { $0.generation } }

    /// The number of requests that have started or joined the running refresh, for tests.
    var waiters: Int { state.withLock { $0.waiters } }

    /// Whether a response with this status requires a refresh. Always false in the task of a refresh, so that the
    /// refresh's own requests do not start another refresh.
    func isNeeded(for statusCode: Int) -> Bool { !Self.isRunning && isRefused(statusCode) }

    /// Starts a refresh or joins the running one. Returns immediately if a newer token already exists. The refresh
    /// continues even if a waiting request is cancelled, because other requests may be waiting too.
    ///
    /// - Throws: The error of the refresh.
    package func newToken(after generation: Int, clock: any Clock<Duration>) async throws {
        let running: Task<Result<Void, APIError>, Never>? = state.withLock { state in
            if state.generation > generation { return nil }
            state.waiters += 1
            if let running = state.running { return running }
            let task = Task { await self.run(clock) }
            state.running = task
            return task
        }
        try await running?.value.get()
        try Task.checkCancellation()
    }

    private func run(_ clock: any Clock<Duration>) async -> Result<Void, APIError> {
        let signal = CancelSignal()
        let deadlines = Deadlines(clock: clock)
        let limit = timeout.map { deadlines.add(signal, after: $0) }
        defer { if let limit { deadlines.remove(limit) } }
        let result: Result<Void, APIError>
        do {
            try await signal.run { [refresh] in
                try await Self.$isRunning.withValue(true) { try await refresh() }
            }.get()
            result = .success(())
        } catch {
            result = .failure(.refreshFailed(error))
        }
        state.withLock { state in
            if case .success = result { state.generation += 1 }
            (state.running, state.waiters) = (nil, 0)
        }
        return result
    }
}
