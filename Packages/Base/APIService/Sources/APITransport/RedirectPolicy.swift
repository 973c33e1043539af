import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Decides which request follows a redirect. Any client can use it.
public struct RedirectPolicy: Sendable, Hashable {
    /// The maximum number of redirects to follow. Any further redirect response is delivered unchanged.
    public var limit: Int

    /// The header fields, in lower case, that are removed on a redirect to another origin. The set always
    /// includes Authorization, Cookie and Proxy-Authorization.
    public var credentialFields: Set<String> {
        get { fields }
        set { fields = Self.standardFields.union(newValue.map { $0.lowercased() }) }
    }

    /// The header fields that always carry credentials.
    package static let standardFields: Set<String> = ["authorization", "cookie", "proxy-authorization"]
    private var fields = standardFields
    /// The restrictions of one request; `nil` for the policy of a client.
    private var rules: RedirectRules?

    /// Creates a policy.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of redirects to follow.
    ///   - credentialFields: Additional header fields that carry credentials, for example `X-Session`.
    public init(limit: Int = 10, credentialFields: Set<String> = []) {
        self.limit = limit
        self.credentialFields = credentialFields
    }

    /// The policy for the request that a service is sending: the accessories' credentials do not follow a redirect to
    /// another origin, and a redirect within the origin is not followed if a signature must be renewed, or if the request is
    /// unsafe, because another attempt must then repeat only the request that the redirect leads to. (The service follows
    /// such redirects.) A client reads this property when it creates an exchange, and follows the redirects by it.
    public var ofCurrentRequest: RedirectPolicy {
        guard let rules = RedirectRules.current else { return self }
        var policy = self
        policy.rules = rules
        policy.limit -= rules.followed
        policy.fields.formUnion(rules.credentialFields)
        return policy
    }

    /// Returns the request that follows a redirect, or `nil` if the redirect is not followed and its response
    /// is delivered.
    ///
    /// The fields that validate a response, such as If-None-Match, are removed, because they belong to the first URL; so
    /// is a Range with an If-Range. If the scheme, host or port differs, the credentials are removed too. A user name and
    /// password in the location are removed. A redirect away from http and https, from https to http, or to a port that
    /// does not exist is not followed. As RFC 9110, 15.4 specifies, a 303 changes the method
    /// to GET (except HEAD), a 301 or 302 changes POST to GET, and a 307 or 308 keeps the method and the body.
    public func next(after request: URLRequest, status: Int, location: String?) -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(status), let source = request.url, let location,
            let target = URL(string: location, relativeTo: source)?.absoluteURL.forHTTP?.withoutUser,
            target.scheme == "https" || source.scheme?.lowercased() == "http"
        else { return nil }
        var next = request
        next.url = target
        // A validator belongs to the URL that gave it. Without its If-Range, a Range could return a part of another file.
        var dropped = Self.validators
        if request.value(forHTTPHeaderField: "If-Range") != nil { dropped.append("Range") }
        let method = request.httpMethod ?? "GET"
        let becomesGet = (status == 303 && method != "HEAD") || (status < 303 && method == "POST")
        if becomesGet {
            (next.httpMethod, next.httpBody) = ("GET", nil)
            dropped += ["Content-Type", "Content-Length", "Content-Encoding"]
        }
        for field in dropped where next.value(forHTTPHeaderField: field) != nil {
            next.setValue(nil, forHTTPHeaderField: field)
        }
        if Self.isSameOrigin(target, source) {
            if let rules, rules.leaves(redirectFrom: source) { return nil }
        } else {
            if let rules, rules.hasSecretBody, next.httpBody != nil { return nil }
            rules?.cross()
            for field in Array((next.allHTTPHeaderFields ?? [:]).keys)
            where fields.contains(field.lowercased()) || field.isSameField(as: "host") {
                next.setValue(nil, forHTTPHeaderField: field)
            }
        }
        if next.httpMethod != request.httpMethod { rules?.changeMethod() }
        return next
    }

    private static let validators = [
        "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range",
    ]

    /// Whether both URLs have the same scheme, host and port.
    package static func isSameOrigin(_ one: URL?, _ other: URL?) -> Bool {
        guard let one, let other else { return false }
        return one == other || one.origin != nil && one.origin == other.origin
    }
}

/// How the redirects of one request are restricted, for example by its accessories. The service sets the rules while a client
/// creates the exchange, and ``RedirectPolicy/ofCurrentRequest`` applies them.
package final class RedirectRules: Sendable, Hashable {
    @TaskLocal package static var current: RedirectRules?

    /// The header fields, in lower case, that carry the accessories' credentials.
    let credentialFields: Set<String>
    /// Whether the body carries credentials, so that no redirect may send it to another origin.
    let hasSecretBody: Bool
    /// The number of redirects that the service has followed before this exchange.
    let followed: Int
    /// The URL of a request whose redirects to the same origin the service follows itself; `nil` if the client follows them.
    private let left: URL?
    private let state = Locked((isLeft: false, hasCrossed: false, hasChangedMethod: false))

    package init(
        credentialFields: Set<String> = [], hasSecretBody: Bool, left: URL? = nil, followed: Int
    ) {
        (self.credentialFields, self.hasSecretBody) = (credentialFields, hasSecretBody)
        (self.left, self.followed) = (left, followed)
    }

    /// Whether the client has left a redirect to the service, which the client would have followed without these rules.
    package var leavesRedirect: Bool { state.withLock { $0.isLeft } }

    /// Whether the client has followed a redirect to another origin, and has dropped the credentials there. Even if further
    /// redirects have led back, the request does not carry them again.
    package var hasCrossed: Bool { state.withLock { $0.hasCrossed } }

    /// Whether the client has followed a redirect that changed the method, which shows that a server has processed the
    /// request (RFC 9110, 15.4).
    package var hasChangedMethod: Bool { state.withLock { $0.hasChangedMethod } }

    /// Whether a redirect from this URL to the same origin is left to the service. After a redirect to another origin,
    /// nothing is left to the service: the accessories must not sign what another origin has chosen.
    func leaves(redirectFrom source: URL) -> Bool {
        guard let left, left.canonical == source.canonical else { return false }
        return state.withLock { state in
            state.isLeft = !state.hasCrossed
            return state.isLeft
        }
    }

    /// Records that a redirect to another origin is followed.
    func cross() { state.withLock { $0.hasCrossed = true } }

    /// Records that a redirect is followed with another method.
    func changeMethod() { state.withLock { $0.hasChangedMethod = true } }

    package static func == (one: RedirectRules, other: RedirectRules) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension String {
    /// Whether both strings name the same header field, that is, are equal when the case of ASCII letters is ignored.
    package func isSameField(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { one, other in
                one == other
                    || (one ^ other == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(one | 0x20))
            }
    }
}
