import APITransport
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
        var moment = refresh.moment
        var answer = try await next(request)
        guard refresh.isNeeded(for: answer.response, to: answer.request),
            refresh.isRenewed(since: moment) || refresh.mayHelp(answer.request, now: call.settings.now())
        else { return answer }
        repeat {
            // A refresh for a user who has gone would renew the next user's token.
            try call.settings.check(call.accounts)
            call.journal.note(.refresh)
            try await signal.run { [moment] in
                try await refresh.newToken(after: moment, clock: call.settings.clock)
            }.get()
            moment = refresh.moment
            answer = try await next(request)
            guard refresh.isNeeded(for: answer.response, to: answer.request) else { return answer }
            // The new token may have been replaced while this attempt was under way.
        } while refresh.isRenewed(since: moment)
        refresh.noteRefusal(of: answer.request, now: call.settings.now())
        return answer
    }
}

/// Fetches a new token when the server rejects the current one.
///
/// If several requests are rejected at the same time, the refresh runs only once. Afterwards, each of these requests is
/// sent once more, or fails with the error of the refresh; so does a request that was sent before a failed refresh and is
/// rejected after it. A refresh has its own time limit, so that a hanging refresh does not block requests forever.
///
/// If the server rejects the new token too, the token is not the reason. The rejection is delivered, and for one minute a
/// rejection of the same request with the same header fields is delivered without another refresh, so that an item that
/// is forbidden to its user does not cost a refresh each time. With another token, for example after a log-in, the request
/// refreshes again.
///
/// A rejection by another origin, which a redirect led to, refreshes nothing, because that origin never got the token.
///
/// Requests that the closure itself sends, through any service, neither wait for a refresh nor start one. The
/// closure must send them before it returns, in its own task or in one that inherits its task-local values.
///
/// All operations are thread-safe.
public final class APITokenRefresh: Sendable {
    @TaskLocal package static var isRunning = false

    private struct State {
        var moment = Moment()
        /// The error of the latest refresh that failed.
        var failure: APIError?
        var running: Task<Result<Void, APIError>, Never>?
        /// The number of requests that have started or joined the running refresh.
        var waiters = 0
        /// When requests, by their hash values, were rejected with a token that had just been fetched.
        var refusals: [Int: Date] = [:]
    }

    /// The number of seconds for which a rejection of a new token is remembered.
    private static let memory: TimeInterval = 60

    /// The time at which a request was sent, measured in refreshes.
    package struct Moment: Sendable {
        /// The number of refreshes that had succeeded.
        fileprivate var successes = 0
        /// The number of refreshes that had failed.
        fileprivate var failures = 0
    }

    private let state = Locked(State())
    /// Whether a status code means that the server rejects the token.
    private let isRefused: @Sendable (Int) -> Bool
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
    ///   - refresh: Fetches the new token and stores it where an ``APITokenAccessory`` finds it. The user stays logged in
    ///     meanwhile: if there is no user for a moment, other requests fail with ``APIError/userChanged``.
    public init(
        when isRefused: @escaping @Sendable (_ statusCode: Int) -> Bool = { $0 == 401 },
        timeout: Duration? = .seconds(60), refresh: @escaping @Sendable () async throws -> Void
    ) {
        (self.isRefused, self.timeout, self.refresh) = (isRefused, timeout, refresh)
    }

    /// The current moment. A request records it before it is sent. If the server rejects the token, a later moment shows
    /// that a newer token exists, or that a refresh has failed since.
    package var moment: Moment { state.withLock { $0.moment } }

    /// Whether a refresh has succeeded since this moment.
    func isRenewed(since moment: Moment) -> Bool { state.withLock { $0.moment.successes > moment.successes } }

    /// The number of requests that have started or joined the running refresh, for tests.
    var waiters: Int { state.withLock { $0.waiters } }

    /// Whether the response to a request requires a refresh. Always false in the task of a refresh, so that the
    /// refresh's own requests do not start another refresh.
    package func isNeeded(for response: HTTPURLResponse, to request: URLRequest) -> Bool {
        !Self.isRunning && isRefused(response.statusCode)
            && RedirectPolicy.isSameOrigin(request.url, response.url)
    }

    /// Whether a new token may help a request that was sent: this token was not rejected for it recently, when it was new.
    package func mayHelp(_ request: URLRequest, now: Date) -> Bool {
        state.withLock { !Self.isRecent($0.refusals[Self.hash(of: request)], now) }
    }

    /// Records that the server has rejected a request that was sent with a new token.
    package func noteRefusal(of request: URLRequest, now: Date) {
        state.withLock { state in
            state.refusals = state.refusals.filter { Self.isRecent($0.value, now) }
            state.refusals[Self.hash(of: request)] = now
        }
    }

    private static func isRecent(_ date: Date?, _ now: Date) -> Bool {
        date.map { abs(now.timeIntervalSince($0)) < memory } ?? false
    }

    /// A hash value of the method, the URL and the header fields, one of which holds the token.
    private static func hash(of request: URLRequest) -> Int {
        var hasher = Hasher()
        hasher.combine(request.httpMethod)
        hasher.combine(request.url)
        hasher.combine(request.allHTTPHeaderFields)
        return hasher.finalize()
    }

    /// Starts a refresh or joins the running one. Returns immediately if a newer token already exists. The refresh
    /// continues even if a waiting request is cancelled, because other requests may be waiting too.
    ///
    /// - Parameters:
    ///   - moment: When the rejected request was sent.
    ///   - clock: The clock of the refresh's time limit.
    /// - Throws: The error of the refresh, or of one that has failed since `moment`.
    package func newToken(after moment: Moment, clock: any Clock<Duration>) async throws {
        let running: Task<Result<Void, APIError>, Never>? = try state.withLock { state in
            if state.moment.successes > moment.successes { return nil }
            if let failure = state.failure, state.moment.failures > moment.failures { throw failure }
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
            switch result {
            case .success: state.moment.successes += 1
            case .failure(let error):
                state.moment.failures += 1
                state.failure = error
            }
            (state.running, state.waiters) = (nil, 0)
        }
        return result
    }
}
