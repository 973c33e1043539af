import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides after each exchange of a call whether another one follows: for the request that a redirect leads to, or, after
/// a failure, for another attempt.
struct Repeats {
    private let call: Call
    /// The request to send.
    var hop: Hop
    private var (attempts, resends) = (0, 0)
    private var earlier: Result<APIAnswer, any Error>?
    /// The moment of the rejected attempt that the last refresh was for; `nil` before the first refresh.
    private var refreshed: Int?

    init(_ call: Call, _ request: URLRequest) { (self.call, hop) = (call, Hop(request)) }

    /// Whether ``hop`` must be sent next. Returns after the delay or the token refresh that it needs.
    ///
    /// - Throws: The error of the refresh, ``APIError/userChanged``, or the reason of the signal.
    mutating func mustSend(
        after result: inout Result<APIAnswer, any Error>, _ signal: CancelSignal
    ) async throws -> Bool {
        // Nothing follows a success, usually. This check spares small requests the rest.
        if case .success(let answer) = result, (200..<300).contains(answer.response.statusCode),
            call.settings.tokenRefresh == nil
        {
            return false
        }
        let response = try? result.get().response
        if let response, let rules = hop.adapted?.rules, hop.follows(response, rules) { return true }
        if hop.adapted?.mayBeProcessed(response) == true { return false }
        var mustRepeat = try await mustRetry(&result, signal)
        if !mustRepeat { mustRepeat = try await hasNewToken(result, signal) }
        if mustRepeat { hop.beginAgain() }
        return mustRepeat
    }

    /// Whether a failed exchange is retried. Returns after the delay.
    private mutating func mustRetry(
        _ result: inout Result<APIAnswer, any Error>, _ signal: CancelSignal
    ) async throws -> Bool {
        let settings = call.settings
        attempts += 1
        let method = hop.request.method
        if case .failure(let error as APIError) = result, error.allowsResend(method, after: resends) {
            resends += 1
            // An unprocessed attempt does not count, because the server has not seen the request.
            if case .connectionError(let error as APIClosedConnection, _) = error, error.isUnprocessed {
                attempts -= 1
            }
            return true
        }
        // The body cannot be sent again, and only the attempt that sent it says why it had to be.
        if case .failure(APIError.localError(is APIUploadChanged)) = result, let earlier {
            result = earlier
            return false
        }
        earlier = result
        guard isRetried(result),
            let delay = call.retry.delay(
                afterAttempt: attempts, method: method, retryAfter: retryAfter(result),
                remaining: call.limit.map { $0 - call.journal.elapsed() }, random: settings.random())
        else { return false }
        call.journal.note(.backoff, "\(delay / .milliseconds(1)) ms")
        try await signal.run { try await settings.clock.sleep(for: delay) }.get()
        return true
    }

    /// Fetches a new token if the server has rejected the current one. Returns whether there is one.
    private mutating func hasNewToken(
        _ result: Result<APIAnswer, any Error>, _ signal: CancelSignal
    ) async throws -> Bool {
        let (settings, accounts) = (call.settings, call.accounts)
        guard let refresh = settings.tokenRefresh, case .success(let answer) = result,
            let adapted = hop.adapted, refresh.isNeeded(for: answer.response, to: adapted)
        else { return false }
        let rejected = APITokenRefresh.Rejected(adapted, of: hop.origin?.plain ?? adapted.plain)
        // The same rejection comes a second time if the request could not be repeated.
        guard refreshed != rejected.moment else { return false }
        // The token may have been replaced while this attempt was under way.
        if !refresh.isRenewed(rejected) {
            if refreshed != nil { refresh.noteRefusal(of: rejected, now: settings.now()) }
            guard refreshed == nil, refresh.mayHelp(rejected, now: settings.now()) else { return false }
        }
        call.journal.note(.refresh)
        refreshed = rejected.moment
        return try await signal.run {
            try await refresh.renews(rejected, settings: settings, for: accounts)
        }.get()
    }

    private func isRetried(_ result: Result<APIAnswer, any Error>) -> Bool {
        switch result {
        case .success(let answer): APIRetryPolicy.statusCodes.contains(answer.response.statusCode)
        case .failure(APIError.unreachable): true
        case .failure(APIError.connectionError(let error, _)): !(error is APIUntrustedServer)
        case .failure: false
        }
    }

    private func retryAfter(_ result: Result<APIAnswer, any Error>) -> Duration? {
        guard case .success(let answer) = result else { return nil }
        return RetryAfter.duration(
            answer.response.value(forHTTPHeaderField: "Retry-After"), now: call.settings.now())
    }
}

/// The request of one attempt before accessories adapt it, and the redirects that have led to it.
package struct Hop {
    package private(set) var request: URLRequest
    package private(set) var followed = 0
    private let first: URLRequest
    /// The request as accessories have adapted it; `nil` until they have.
    var adapted: Adapted? { didSet { origin = origin ?? adapted } }
    /// The request that the redirects have led from, as it was sent.
    private(set) var origin: Adapted?
    private(set) var isFirst = true
    private(set) var hasBody = true

    package init(_ request: URLRequest) { (self.request, first) = (request, request) }

    /// Whether the client has left this redirect to the service. The hop is then the request that follows the redirect.
    package mutating func follows(_ response: HTTPURLResponse, _ rules: RedirectRules) -> Bool {
        guard rules.leavesRedirect,
            let next = RedirectPolicy().next(
                after: request, status: response.statusCode,
                location: response.value(forHTTPHeaderField: "Location"))
        else { return false }
        // A request that has become a GET has no body, nor has one after a 303 (RFC 9110, 15.4).
        hasBody = hasBody && response.statusCode != 303 && next.httpMethod == request.httpMethod
        (request, adapted, followed, isFirst) = (next, nil, followed + 1, false)
        return true
    }

    /// Begins another attempt with the first request, because a redirect may lead elsewhere next time (RFC 9110, 15.4.8).
    ///
    /// If the first request is unsafe, the attempt begins with the request that the redirects have led to: the server may
    /// have processed the first one. A second POST would act twice (9.2.2), and a second DELETE would find nothing.
    package mutating func beginAgain() {
        if first.method.isSafe || followed == 0 {
            self = Hop(first)
        } else {
            (adapted, isFirst) = (nil, true)
        }
    }
}

extension APIError {
    /// Whether a request is sent again immediately because its connection closed before a response arrived. This
    /// happens at most twice: a pool may hand out a second closed connection before it notices that the connection is
    /// closed.
    package func allowsResend(_ method: APIRequestMethod, after resends: Int) -> Bool {
        guard case .connectionError(let error as APIClosedConnection, _) = self, resends < 2 else {
            return false
        }
        return error.isUnprocessed || method.isIdempotent
    }
}
