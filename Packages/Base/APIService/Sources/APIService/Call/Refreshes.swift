import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Fetches a new token when the server rejects the current one, so that the request can be sent once more.
struct Refreshes {
    private let call: Call
    private let refresh: APITokenRefresh?
    /// When the request was sent.
    private var moment: Int
    private var hasRefreshed = false

    init(_ call: Call) {
        (self.call, refresh) = (call, call.settings.tokenRefresh)
        moment = refresh?.moment ?? 0
    }

    /// Whether a new token exists, so that the request must be sent again.
    ///
    /// - Throws: The error of the refresh, ``APIError/userChanged``, or the reason of the signal.
    mutating func mustRepeat(
        _ result: Result<APIAnswer, any Error>, _ signal: CancelSignal
    ) async throws -> Bool {
        guard let refresh, case .success(let answer) = result, let sent = answer.sent,
            refresh.isNeeded(for: answer.response, to: sent.adapted)
        else { return false }
        let (settings, accounts) = (call.settings, call.accounts)
        let rejected = APITokenRefresh.Rejected(sent.origin)
        // The token may have been replaced while this attempt was under way.
        if !refresh.isRenewed(rejected.user, since: moment) {
            if hasRefreshed { refresh.noteRefusal(of: rejected, now: settings.now()) }
            guard !hasRefreshed, refresh.mayHelp(rejected, now: settings.now()) else { return false }
        }
        call.journal.note(.refresh)
        let isRenewed = try await signal.run { [moment] in
            try await refresh.renews(rejected, since: moment, settings: settings, for: accounts)
        }.get()
        (moment, hasRefreshed) = (refresh.moment, true)
        return isRenewed
    }
}

extension APITokenRefresh.Rejected {
    /// Identifies a request, its token and its user.
    ///
    /// The token is what its accessory has added: header fields, parts of the URL, and the bytes of the body between those
    /// that the accessory has left unchanged. What other accessories add, such as a signature, differs in each request. If no
    /// accessory has a user, the token may be in any header field.
    package init(_ adapted: Adapted) {
        let (before, after) = (
            adapted.token?.before ?? adapted.plain, adapted.token?.after ?? adapted.request
        )
        let others = adapted.token == nil ? nil : before.allHTTPHeaderFields
        let fields = adapted.token?.fields.map(Array.init) ?? after.fields(changedFrom: others)
        var token = Hasher()
        for field in fields.sorted() { token.combine([field, after.value(forHTTPHeaderField: field)]) }
        if before.url != after.url { token.combine(after.url.parts.subtracting(before.url.parts)) }
        if let body = after.httpBody, body != before.httpBody {
            // An array hashes all its bytes; `Data` hashes only the first ones, which tokens may have in common.
            token.combine(Array(body.inserted(into: before.httpBody ?? Data())))
        }
        var whole = token
        whole.combine(adapted.plain.httpMethod)
        whole.combine(adapted.plain.url)
        self.init(user: adapted.token?.user, token: token.finalize(), request: whole.finalize())
    }
}

extension URL? {
    /// The address and the parts of the query.
    fileprivate var parts: Set<Substring> { Set((self?.absoluteString ?? "").split { "?&#".contains($0) }) }
}

extension Data {
    /// Returns the bytes without those with which both bodies begin and end.
    fileprivate func inserted(into other: Data) -> Data {
        let start = zip(self, other).prefix { $0 == $1 }.count
        let (rest, others) = (dropFirst(start), other.dropFirst(start))
        return rest.dropLast(zip(rest.reversed(), others.reversed()).prefix { $0 == $1 }.count)
    }
}
