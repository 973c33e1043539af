import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that the accessories have adapted.
package struct Adapted: Sendable {
    /// What one accessory has made of a request: its token is the difference.
    struct TokenStep {
        let user: String?
        /// The position of the accessory.
        let index: Int
        let (before, after): (URLRequest, URLRequest)
        /// The names of the header fields that carry the token; `nil` if all those do that have changed.
        let fields: Set<String>?
    }

    package let request: URLRequest
    /// How the accessories restrict the redirects of the request.
    package let rules: RedirectRules?
    /// The request before the accessories adapted it.
    let plain: URLRequest
    /// The step that has added the token; `nil` if no accessory has a user.
    let token: TokenStep?
    /// The ``APITokenRefresh/moment`` before the accessories were called: only a later refresh may have replaced the token.
    let moment: Int
}

/// A request that is ready to be sent.
struct Authorised {
    let adapted: Adapted
    /// The first request of the call, which the redirects have led from.
    let origin: Adapted
    /// Whether the request begins an attempt, and does not continue one after a redirect.
    let isFirst: Bool
    /// Whether no redirect has dropped the body.
    let hasBody: Bool
}

/// The step that lets the accessories adapt the request of an attempt.
extension Call {
    /// Returns the request to send.
    ///
    /// - Throws: The error of an accessory, ``APIError/userChanged``, or the reason of the signal.
    func authorise(_ hop: inout Hop, _ signal: CancelSignal) async throws -> Authorised {
        let (request, followed) = (hop.request, hop.followed)
        let adapted: Adapted
        if settings.mustAdapt {
            adapted = try await signal.run {
                try await self.settings.adapted(request, for: self.accounts, followed, self.journal)
            }.get()
        } else {
            // The rules tell the cache whether redirects have dropped the request's own credentials.
            let rules = policy.writeMode == .none ? nil : RedirectRules(followed: followed)
            adapted = Adapted(request: request, rules: rules, plain: request, token: nil, moment: 0)
        }
        let origin = hop.origin ?? adapted
        hop.origin = origin
        return Authorised(adapted: adapted, origin: origin, isFirst: hop.isFirst, hasBody: hop.hasBody)
    }
}

extension APISettings {
    /// Whether requests must pass ``adapted(_:for:_:_:)``.
    fileprivate var mustAdapt: Bool { !accessories.isEmpty || tokenRefresh != nil }

    /// Returns the request after all accessories have adapted it, for an exchange outside a call.
    ///
    /// - Parameters:
    ///   - accounts: The ``accounts`` of when the request was made.
    ///   - followed: The number of redirects that have led to this request.
    /// - Throws: The error of an accessory, or an error if the request must not be sent.
    package func ready(
        _ request: URLRequest, for accounts: [String?], _ followed: Int
    ) async throws -> Adapted {
        let adapted = try await adapted(request, for: accounts, followed)
        try adapted.request.check()
        return adapted
    }

    /// Returns the request after all accessories have adapted it.
    ///
    /// - Throws: The error of an accessory, or ``APIError/userChanged``.
    func adapted(
        _ plain: URLRequest, for accounts: [String?], _ followed: Int, _ journal: Journal? = nil
    ) async throws -> Adapted {
        if !accessories.isEmpty {
            journal?.note(.accessories, accessories.map { "\(type(of: $0))" }.joined(separator: ", "))
        }
        let moment = tokenRefresh?.moment ?? 0
        var (request, credentials, hasSecretBody) = (plain, Set<String>(), false)
        let owner = accessories.firstIndex { $0 is APITokenAccessory } ?? accounts.firstIndex { $0 != nil }
        var token: Adapted.TokenStep?
        try check(accounts)
        for (index, accessory) in accessories.enumerated() {
            let (before, fields) = (request, accessory.credentialFields)
            request = try await accessory.adapt(request)
            if index == owner {
                token = .init(
                    user: accounts[index], index: index, before: before, after: request, fields: fields)
            }
            if let fields {
                credentials.formUnion(fields.map { $0.lowercased() })
            } else {
                credentials.formUnion(
                    request.fields(changedFrom: before.allHTTPHeaderFields).map { $0.lowercased() })
                hasSecretBody = hasSecretBody || request.httpBody != before.httpBody
            }
        }
        // The user may have changed while an accessory fetched the token.
        try check(accounts)
        // If the page that a processed POST redirects to rejects the token, only the request for the page is repeated.
        let mustFollow = tokenRefresh != nil && !request.method.isSafe
        let leaves = mustFollow || accessories.contains(where: \.dependsOnURL)
        let rules = RedirectRules(
            credentialFields: credentials, hasSecretBody: hasSecretBody, left: leaves ? request.url : nil,
            followed: followed)
        return Adapted(request: request, rules: rules, plain: plain, token: token, moment: moment)
    }

    /// Checks that the accessories still add the credentials of these users. An accessory that had no user may have one
    /// now.
    ///
    /// - Throws: ``APIError/userChanged``.
    package func check(_ accounts: [String?]) throws(APIError) {
        for (old, accessory) in zip(accounts, accessories) where old != nil && old != accessory.user {
            throw .userChanged
        }
    }
}

extension URLRequest {
    /// Returns the names of the header fields that differ from others.
    func fields(changedFrom others: [String: String]?) -> [String] {
        (allHTTPHeaderFields ?? [:]).compactMap { others?[$0.key] == $0.value ? nil : $0.key }
    }
}
