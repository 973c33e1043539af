import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The request of one attempt before accessories adapt it, and the redirects that have led to it.
package struct Hop {
    package private(set) var request: URLRequest
    package private(set) var followed = 0
    private let first: URLRequest
    /// The first request as it was sent.
    var origin: Adapted?
    private(set) var isFirst = true
    private(set) var hasBody = true

    package init(_ request: URLRequest) { (self.request, first) = (request, request) }

    /// Whether the client has left a redirect to the service. The hop is then the request that follows the redirect.
    mutating func follows(_ result: Result<APIAnswer, any Error>) -> Bool {
        guard case .success(let answer) = result, let rules = answer.sent?.adapted.rules else { return false }
        return follows(answer.response, rules)
    }

    /// Whether the client has left this redirect to the service. The hop is then the request that follows the redirect.
    package mutating func follows(_ response: HTTPURLResponse, _ rules: RedirectRules) -> Bool {
        guard rules.leavesRedirect,
            let next = RedirectPolicy().next(
                after: request, status: response.statusCode,
                location: response.value(forHTTPHeaderField: "Location"))
        else { return false }
        // A request that has become a GET has no body, nor has one after a 303 (RFC 9110, 15.4).
        hasBody = hasBody && response.statusCode != 303 && next.httpMethod == request.httpMethod
        (request, followed, isFirst) = (next, followed + 1, false)
        return true
    }

    /// Begins another attempt with the first request, because a redirect may lead elsewhere next time (RFC 9110, 15.4.8).
    ///
    /// If the first request is unsafe, the attempt begins with the request that the redirects have led to: the server may
    /// have processed the first one. A second POST would act twice (9.2.2), and a second DELETE would find nothing.
    package mutating func beginAgain() {
        if first.method.isSafe || followed == 0 { self = Hop(first) } else { isFirst = true }
    }
}
