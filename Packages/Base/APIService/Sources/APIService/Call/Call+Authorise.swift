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
}

/// A request that is ready to be sent.
struct Authorised {
    let adapted: Adapted
    /// The first request of the attempt, which the redirects have led from.
    let origin: Adapted
    /// Whether no redirect has led to the request.
    let isFirst: Bool
}

/// The request of one attempt before accessories adapt it, and the redirects that have led to it.
struct Hop {
    private(set) var request: URLRequest
    private(set) var followed = 0
    /// The first request of the attempt as it was sent.
    fileprivate var origin: Adapted?

    init(_ request: URLRequest) { self.request = request }

    /// Whether the client has left a redirect to the service, because the accessories must adapt its request again. The hop is
    /// then the request that follows the redirect.
    mutating func follows(_ result: Result<APIAnswer, any Error>) -> Bool {
        guard case .success(let answer) = result,
            let next = answer.sent?.adapted.rules?.redirected(request, answer.response)
        else { return false }
        (request, followed) = (next, followed + 1)
        return true
    }
}

/// The step that lets the accessories adapt the request of an attempt.
extension Call {
    /// Returns the request to send.
    ///
    /// - Throws: The error of an accessory, ``APIError/userChanged``, or the reason of the signal.
    func authorise(_ hop: inout Hop, _ signal: CancelSignal) async throws -> Authorised {
        let (request, followed) = (hop.request, hop.followed)
        var adapted = Adapted(request: request, rules: nil, plain: request, token: nil)
        if settings.mustAdapt {
            adapted = try await signal.run {
                try await self.settings.adapted(request, for: self.accounts, followed, self.journal)
            }.get()
        }
        let origin = hop.origin ?? adapted
        hop.origin = origin
        return Authorised(adapted: adapted, origin: origin, isFirst: followed == 0)
    }
}

extension RedirectRules {
    /// Returns the request, before accessories adapt it, that follows a redirect; `nil` if the service does not follow it.
    package func redirected(_ request: URLRequest, _ response: HTTPURLResponse) -> URLRequest? {
        guard leavesRedirect else { return nil }
        return RedirectPolicy().next(
            after: request, status: response.statusCode,
            location: response.value(forHTTPHeaderField: "Location"))
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
        var (request, credentials, hasSecretBody) = (plain, Set<String>(), false)
        let owner = accessories.firstIndex { $0 is APITokenAccessory } ?? accounts.firstIndex { $0 != nil }
        var token: Adapted.TokenStep?
        try check(accounts)
        for (index, accessory) in accessories.enumerated() {
            let (before, fields) = (request, accessory.credentialFields)
            request = try await accessory.adapt(request)
            if index == owner {
                token = .init(user: accounts[index], before: before, after: request, fields: fields)
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
        let signed = accessories.contains(where: \.dependsOnURL) ? request.url : nil
        let hasRules = !credentials.isEmpty || hasSecretBody || signed != nil || tokenRefresh != nil
        let rules =
            hasRules
            ? RedirectRules(
                credentialFields: credentials, hasSecretBody: hasSecretBody, signed: signed,
                followed: followed)
            : nil
        return Adapted(request: request, rules: rules, plain: plain, token: token)
    }
}

extension URLRequest {
    /// Returns the names of the header fields that differ from others.
    func fields(changedFrom others: [String: String]?) -> [String] {
        (allHTTPHeaderFields ?? [:]).compactMap { others?[$0.key] == $0.value ? nil : $0.key }
    }
}
