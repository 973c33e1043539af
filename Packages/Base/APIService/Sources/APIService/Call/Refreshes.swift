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
        guard let refresh, case .success(let answer) = result,
            refresh.isNeeded(for: answer.response, to: answer.request)
        else { return false }
        let (settings, accounts) = (call.settings, call.accounts)
        let rejected = settings.rejected(answer.request, of: accounts)
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

extension APISettings {
    /// Returns what identifies a rejected request, its token and its user.
    ///
    /// - Parameter accounts: The ``accounts`` of when the request was made.
    package func rejected(_ request: URLRequest, of accounts: [String?]) -> APITokenRefresh.Rejected {
        let owner = accessories.firstIndex { $0 is APITokenAccessory } ?? accounts.firstIndex { $0 != nil }
        var token = Hasher()
        if let owner, let fields = accessories[owner].credentialFields {
            for field in fields.sorted() { token.combine(request.value(forHTTPHeaderField: field)) }
        } else {
            token.combine(request.allHTTPHeaderFields)
        }
        var whole = token
        whole.combine(request.httpMethod)
        whole.combine(request.url)
        return .init(
            user: owner.flatMap { accounts[$0] }, token: token.finalize(), request: whole.finalize())
    }
}
