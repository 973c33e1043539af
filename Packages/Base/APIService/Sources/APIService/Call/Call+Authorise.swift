import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request that the accessories have adapted.
struct Authorised {
    let request: URLRequest
    /// How the accessories restrict the redirects of the request.
    let rules: RedirectRules?
    /// The first request of the attempt, which the redirects have led from.
    let origin: URLRequest
    /// Whether no redirect has led to the request.
    let isFirst: Bool
}

/// The request of one attempt before accessories adapt it, and the redirects that have led to it.
struct Hop {
    private(set) var request: URLRequest
    private(set) var followed = 0
    /// The first request of the attempt as it was sent.
    fileprivate var origin: URLRequest?

    init(_ request: URLRequest) { self.request = request }

    /// Whether the client has left a redirect to the service, because the accessories must adapt its request again. The hop is
    /// then the request that follows the redirect.
    mutating func follows(_ result: Result<APIAnswer, any Error>) -> Bool {
        guard case .success(let answer) = result,
            let next = answer.rules?.redirected(request, answer.response)
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
        var adapted: (request: URLRequest, rules: RedirectRules?) = (request, nil)
        if !settings.accessories.isEmpty {
            adapted = try await signal.run {
                try await self.settings.adapted(request, for: self.accounts, followed, self.journal)
            }.get()
        }
        let origin = hop.origin ?? adapted.request
        hop.origin = origin
        return Authorised(
            request: adapted.request, rules: adapted.rules, origin: origin, isFirst: followed == 0)
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
    /// Returns the request after all accessories have adapted it, and the rules of its redirects, for an exchange outside
    /// a call.
    ///
    /// - Parameters:
    ///   - accounts: The ``accounts`` of when the request was made.
    ///   - followed: The number of redirects that have led to this request.
    /// - Throws: The error of an accessory, or an error if the request must not be sent.
    package func ready(
        _ request: URLRequest, for accounts: [String?], _ followed: Int
    ) async throws -> (URLRequest, RedirectRules?) {
        let adapted = try await adapted(request, for: accounts, followed)
        try adapted.0.check()
        return adapted
    }

    /// Returns the request after all accessories have adapted it, and the rules of its redirects.
    ///
    /// - Throws: The error of an accessory, or ``APIError/userChanged``.
    func adapted(
        _ request: URLRequest, for accounts: [String?], _ followed: Int, _ journal: Journal? = nil
    ) async throws -> (URLRequest, RedirectRules?) {
        guard !accessories.isEmpty else { return (request, nil) }
        journal?.note(.accessories, accessories.map { "\(type(of: $0))" }.joined(separator: ", "))
        var (request, credentials, hasSecretBody) = (request, Set<String>(), false)
        try check(accounts)
        for accessory in accessories {
            let before = request
            request = try await accessory.adapt(request)
            if let fields = accessory.credentialFields {
                credentials.formUnion(fields.map { $0.lowercased() })
            } else {
                credentials.formUnion(request.fields(changedFrom: before))
                hasSecretBody = hasSecretBody || request.httpBody != before.httpBody
            }
        }
        // The user may have changed while an accessory fetched the token.
        try check(accounts)
        let signed = accessories.contains(where: \.dependsOnURL) ? request.url : nil
        guard !credentials.isEmpty || hasSecretBody || signed != nil else { return (request, nil) }
        let rules = RedirectRules(
            credentialFields: credentials, hasSecretBody: hasSecretBody, signed: signed, followed: followed)
        return (request, rules)
    }
}

extension URLRequest {
    /// Returns the names, in lower case, of the header fields that differ from those of another request.
    fileprivate func fields(changedFrom other: URLRequest) -> [String] {
        let before = other.allHTTPHeaderFields ?? [:]
        return (allHTTPHeaderFields ?? [:]).compactMap {
            before[$0.key] == $0.value ? nil : $0.key.lowercased()
        }
    }
}
