import APITransport
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches a new token when the server rejects the current one.
///
/// A refresh belongs to the user whose request was rejected: requests of other users neither wait for it nor get its error
/// or its token. If several requests of a user are rejected at the same time, the refresh runs only once. Afterwards, each of
/// these requests is sent once more, or fails with the error of the refresh; so does a request that was sent before a failed
/// refresh and is rejected after it. If the user logs out or changes during the refresh, the new token is dropped. A refresh
/// has its own time limit, so that a hanging refresh does not block requests forever.
///
/// If the server refuses the refresh (see ``APIError/isRefusal`` and ``APITokenRefusal``), a new attempt would fail too: later
/// rejections of the same token fail with the same error, without another refresh. After any other failure, for example
/// because the server was unreachable, the next rejection starts a new refresh.
///
/// If the server rejects the new token too, the token is not the reason. The rejection is delivered, and for one minute a
/// rejection of the same request with the same token is delivered without another refresh, so that an item that
/// is forbidden to its user does not cost a refresh each time. With another token, for example after a log-in, the request
/// refreshes again.
///
/// A rejection by another origin, which a redirect led to, refreshes nothing, because that origin never got the token. Nor
/// does a rejection by the first origin if the redirects have led to another one and back, which drops the token. If a POST
/// was redirected within its origin and the request that follows is rejected, only that request is sent again, because the
/// server has processed the POST (RFC 9110, 9.2.2 and 15.4.4).
///
/// Requests that the first closure itself sends, through any service, neither wait for a refresh nor start one. The
/// closure must send them before it returns, in its own task or in one that inherits its task-local values.
///
/// All operations are thread-safe.
public final class APITokenRefresh: Sendable {
    @TaskLocal package static var isRunning = false

    /// A request that the server has rejected.
    package struct Rejected: Sendable {
        /// The user whose token the request carried.
        package let user: String?
        /// The position of the accessory that has added the token.
        let owner: Int?
        /// A hash value of the token.
        let token: Int
        /// A hash value of the token, the method and the URL.
        let request: Int
        /// The ``APITokenRefresh/moment`` before the token was added.
        let moment: Int
    }

    /// The refreshes of one user.
    private struct State {
        /// The number of the latest refresh that succeeded.
        var success = 0
        /// The latest refresh that failed: its number, its error, and the token if the server has refused to renew it.
        var failure: (number: Int, error: APIError, refused: Int?)?
        var running: Task<Result<Bool, APIError>, Never>?
        /// The number of requests that have started or joined the running refresh.
        var waiters = 0
        /// When requests, by their hash values, were rejected with a token that had just been fetched.
        var refusals: [Int: Date] = [:]
    }

    /// The number of seconds for which a rejection of a new token is remembered.
    private static let memory: TimeInterval = 60
    /// The number of users beyond which those without a running refresh are forgotten.
    private static let userLimit = 1_000

    /// The states of the users, and the number of refreshes of all users that have ended.
    private let state = Locked<(users: [String?: State], ended: Int)>(([:], 0))
    /// Whether a status code means that the server rejects the token.
    private let isRejection: @Sendable (Int) -> Bool
    private let timeout: Duration?
    private let refresh: @Sendable (_ user: String?) async throws -> String?
    private let store: @Sendable (_ token: String, _ user: String?) async throws -> Void

    /// Creates a refresh.
    ///
    /// ```swift
    /// settings.tokenRefresh = APITokenRefresh { user in
    ///     try await service.sendRequest(NewToken(user: user)).token
    /// } store: { token, user in
    ///     session.update { if $0.user == user { $0.token = token } }
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - isRejection: Returns whether a status code means that the server rejects the token. 401 by default.
    ///   - timeout: The time limit of one refresh, on the clock of the service that starts it; `nil` means no limit.
    ///     When the limit is exceeded, the closure's task is cancelled, all waiting requests fail with
    ///     ``APIError/refreshFailed(_:)``, and the next rejected request starts a new refresh. If the closure returns
    ///     later, its result is ignored.
    ///   - refresh: Fetches a new token for a user. Returns `nil` if there is no token to renew, for example because nobody is
    ///     logged in; the rejection is then delivered. `user` is the user of the first ``APITokenAccessory``, or, without
    ///     such an accessory, of the first accessory that has a user.
    ///   - store: Stores the new token of a user where an accessory finds it. Another user may have logged in just before this
    ///     call. The closure must therefore compare `user` with the user who is logged in and store the token in one atomic
    ///     step, and must not store the token of another user.
    public init(
        when isRejection: @escaping @Sendable (_ statusCode: Int) -> Bool = { $0 == 401 },
        timeout: Duration? = .seconds(60),
        refresh: @escaping @Sendable (_ user: String?) async throws -> String?,
        store: @escaping @Sendable (_ token: String, _ user: String?) async throws -> Void
    ) {
        (self.isRejection, self.timeout, self.refresh, self.store) = (isRejection, timeout, refresh, store)
    }

    /// The number of refreshes that have ended. Each attempt records it before the accessories add the token. If the server
    /// rejects the token, a later refresh of the same user shows that a newer token exists, or that a refresh has failed since.
    package var moment: Int { state.withLock { $0.ended } }

    /// Whether a refresh of the user has succeeded since the request was sent.
    func isRenewed(_ rejected: Rejected) -> Bool {
        state.withLock { ($0.users[rejected.user]?.success ?? 0) > rejected.moment }
    }

    /// The number of requests that have started or joined the running refreshes, for tests.
    var waiters: Int { state.withLock { $0.users.values.reduce(0) { $0 + $1.waiters } } }

    /// The number of users that are remembered, for tests.
    var knownUsers: Int { state.withLock { $0.users.count } }

    /// Whether the response to a request requires a refresh. Always false in the task of a refresh, so that the
    /// refresh's own requests do not start another refresh.
    ///
    /// Also false if another origin has rejected the request, or one without the token: see ``Adapted/mayBeProcessed(_:)`` for
    /// the requests that must not be repeated.
    package func isNeeded(for response: HTTPURLResponse, to adapted: Adapted) -> Bool {
        !Self.isRunning && isRejection(response.statusCode) && !adapted.rules.hasCrossed
            && RedirectPolicy.isSameOrigin(adapted.request.url, response.url)
            && !adapted.mayBeProcessed(response)
    }

    /// Whether a new token may help a request: this token was not rejected for it recently, when it was new.
    package func mayHelp(_ rejected: Rejected, now: Date) -> Bool {
        state.withLock { !Self.isRecent($0.users[rejected.user]?.refusals[rejected.request], now) }
    }

    /// Records that the server has rejected a request that was sent with a new token.
    package func noteRefusal(of rejected: Rejected, now: Date) {
        state.withLock { state in
            var refusals = state.users[rejected.user, default: State()].refusals
            refusals = refusals.filter { Self.isRecent($0.value, now) }
            refusals[rejected.request] = now
            state.users[rejected.user, default: State()].refusals = refusals
        }
    }

    private static func isRecent(_ date: Date?, _ now: Date) -> Bool {
        date.map { abs(now.timeIntervalSince($0)) < memory } ?? false
    }

    /// Starts a refresh of the rejected token or joins the user's running one. Returns immediately if a newer token already
    /// exists. The refresh continues even if a waiting request is cancelled, because other requests may be waiting too.
    ///
    /// - Parameters:
    ///   - settings: The settings of the rejected request.
    ///   - accounts: The ``APISettings/accounts`` of when the request was made.
    /// - Returns: Whether there is a new token.
    /// - Throws: The error of the refresh, of one that has failed since the request was sent, or of one that the server has
    ///   refused for this token; ``APIError/userChanged`` if the user has gone.
    package func renews(
        _ rejected: Rejected, settings: APISettings, for accounts: [String?]
    ) async throws -> Bool {
        // A refresh for a user who has gone would renew the next user's token.
        try settings.check(accounts)
        let running: Task<Result<Bool, APIError>, Never>? = try state.withLock { state in
            var user = state.users[rejected.user] ?? State()
            if user.success > rejected.moment { return nil }
            if let failure = user.failure,
                failure.number > rejected.moment || failure.refused == rejected.token
            {
                throw failure.error
            }
            if state.users.count > Self.userLimit {
                state.users = state.users.filter { $0.value.running != nil }
            }
            let task = user.running ?? Task { await self.run(rejected, settings, accounts) }
            user.waiters += 1
            user.running = task
            state.users[rejected.user] = user
            return task
        }
        let isRenewed = try await running?.value.get() ?? true
        try Task.checkCancellation()
        return isRenewed
    }

    private func run(
        _ rejected: Rejected, _ settings: APISettings, _ accounts: [String?]
    ) async -> Result<Bool, APIError> {
        // Whether the other accessories still have their users is checked for each waiting request.
        let owner = accounts.indices.map { $0 == rejected.owner ? accounts[$0] : nil }
        let signal = CancelSignal()
        let deadlines = Deadlines(clock: settings.clock)
        let limit = timeout.map { deadlines.add(signal, after: $0) }
        defer { if let limit { deadlines.remove(limit) } }
        let result: Result<Bool, APIError>
        do {
            let isRenewed = try await signal.run { [refresh, store] in
                try await Self.$isRunning.withValue(true) {
                    guard let token = try await refresh(rejected.user) else { return false }
                    try settings.check(owner)
                    try signal.check()
                    try await store(token, rejected.user)
                    return true
                }
            }.get()
            result = .success(isRenewed)
        } catch APIError.userChanged where (try? settings.check(owner)) == nil {
            result = .failure(.userChanged)
        } catch {
            result = .failure(.refreshFailed(error))
        }
        state.withLock { state in
            state.ended += 1
            guard var user = state.users[rejected.user] else { return }
            switch result {
            case .success(true): (user.success, user.failure) = (state.ended, nil)
            case .success(false), .failure(.userChanged): break
            case .failure(let error):
                user.failure = (state.ended, error, error.refusesRefresh ? rejected.token : nil)
            }
            (user.running, user.waiters) = (nil, 0)
            state.users[rejected.user] = user
        }
        return result
    }
}

/// Thrown by the first closure of an ``APITokenRefresh`` if the server refuses to issue a new token, for example because the
/// session was ended on another device.
public struct APITokenRefusal: Error, Sendable, Hashable {
    /// The reason for the refusal.
    public let reason: String

    /// Creates a refusal with this reason.
    public init(_ reason: String) { self.reason = reason }
}

extension APIError {
    /// Whether the server has refused the request for good: its status is from 400 to 499, but not 408, 425 or 429, which ask
    /// for a later attempt.
    public var isRefusal: Bool {
        guard case .responseError(.unacceptableStatus(let failure)) = self else { return false }
        return (400..<500).contains(failure.statusCode) && ![408, 425, 429].contains(failure.statusCode)
    }

    /// Whether this is the error of a refresh that the server has refused.
    fileprivate var refusesRefresh: Bool {
        guard case .refreshFailed(let error) = self else { return false }
        return error is APITokenRefusal || (error as? APIError)?.isRefusal == true
    }
}
