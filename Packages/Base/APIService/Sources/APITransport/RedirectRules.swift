import Foundation
import Locking

/// How the accessories of one request restrict its redirects. The service sets the rules while a client creates the
/// exchange, and ``RedirectPolicy/ofCurrentRequest`` applies them.
package final class RedirectRules: Sendable, Hashable {
    @TaskLocal package static var current: RedirectRules?

    /// The header fields, in lower case, that carry the accessories' credentials.
    let credentialFields: Set<String>
    /// Whether the body carries credentials, so that no redirect may send it to another origin.
    let hasSecretBody: Bool
    /// The number of redirects that the service has followed before this exchange.
    let followed: Int
    /// The URL of a request that the accessories must adapt again for each redirect to the same origin, for example
    /// because they have signed it; `nil` if there is no such accessory.
    private let signed: URL?
    private let state = Locked((isLeft: false, hasCrossed: false))

    package init(credentialFields: Set<String>, hasSecretBody: Bool, signed: URL?, followed: Int) {
        (self.credentialFields, self.hasSecretBody) = (credentialFields, hasSecretBody)
        (self.signed, self.followed) = (signed.map { $0.forHTTP ?? $0 }, followed)
    }

    /// Whether the client has left a redirect to the service, which the client would have followed without these rules.
    package var leavesRedirect: Bool { state.withLock { $0.isLeft } }

    /// Whether the client has followed a redirect to another origin, and has dropped the credentials there. Even if further
    /// redirects have led back, the request does not carry them again.
    package var hasCrossed: Bool { state.withLock { $0.hasCrossed } }

    /// Whether a redirect from this URL to the same origin is left to the service. After a redirect to another origin,
    /// nothing is left to the service: the accessories must not sign what another origin has chosen.
    func leaves(redirectFrom source: URL) -> Bool {
        guard let signed, signed == source.forHTTP else { return false }
        return state.withLock { state in
            state.isLeft = !state.hasCrossed
            return state.isLeft
        }
    }

    /// Records that a redirect to another origin is followed.
    func cross() { state.withLock { $0.hasCrossed = true } }

    package static func == (one: RedirectRules, other: RedirectRules) -> Bool { one === other }
    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
