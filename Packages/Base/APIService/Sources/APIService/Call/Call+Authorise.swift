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
    package let rules: RedirectRules
    /// The request before the accessories adapted it.
    let plain: URLRequest
    /// The step that has added the token; `nil` if no accessory has a user.
    let token: TokenStep?
    /// The ``APITokenRefresh/moment`` before the accessories were called: only a later refresh may have replaced the token.
    let moment: Int

    /// Whether the server may have processed this unsafe request before the client followed a redirect, so that the request
    /// must not be sent again (RFC 9110, 9.2.2): the redirect changed the method, or the client has not left a redirect
    /// within the origin to the service.
    ///
    /// - Parameter response: The response; `nil` after a failure.
    func mayBeProcessed(_ response: HTTPURLResponse?) -> Bool {
        guard !request.method.isSafe else { return false }
        if rules.hasChangedMethod { return true }
        guard !rules.hasCrossed, let answered = response?.url else { return false }
        return answered != request.url && answered.canonical != request.url?.canonical
    }
}

/// The step that lets the accessories adapt the request of an attempt.
extension Call {
    /// Returns the request to send, which is also the hop's ``Hop/adapted``.
    ///
    /// - Throws: The error of an accessory, ``APIError/userChanged``, or the reason of the signal.
    func authorise(_ hop: inout Hop, _ signal: CancelSignal) async throws -> Adapted {
        let (request, followed) = (hop.request, hop.followed)
        @Sendable func adapt() async throws -> Adapted {
            try await settings.adapted(request, for: accounts, followed, journal)
        }
        // Only accessories could keep the request from ending. For others, starting a task would take too long.
        let adapted = settings.accessories.isEmpty ? try await adapt() : try await signal.run(adapt).get()
        hop.adapted = adapted
        return adapted
    }
}

extension APISettings {
    /// Returns the request after all accessories have adapted it.
    ///
    /// - Parameters:
    ///   - accounts: The ``accounts`` of when the request was made.
    ///   - followed: The number of redirects that have led to this request.
    /// - Throws: The error of an accessory, ``APIError/userChanged``, or an error if the request must not be sent.
    package func adapted(
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
        try request.check()
        // If the page that a processed POST redirects to must be requested again, the POST is not repeated.
        let leaves = !request.method.isSafe || accessories.contains(where: \.dependsOnURL)
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
