import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Lets calls use a store.
struct Caching: CacheProvider {
    let tool: any APICacheTool

    func lookUp(_ request: URLRequest, for call: Call) async throws -> any CacheFinding {
        var finding = Finding(call, tool, request)
        try await finding.lookUp()
        return finding
    }

    /// Removes the responses for the URL of a request, and for the URL that a redirect led to (RFC 9111, 4.4).
    func invalidate(_ request: URLRequest, by answer: APIAnswer) {
        guard (200..<400).contains(answer.response.statusCode) else { return }
        let urls = [request.url, answer.response.url].compactMap { $0 }
        for location in Set(urls.map(\.canonical)) { tool.removeAll(at: location) }
    }

    func removeAll(user: String?) { tool.removeAll(user: user) }
}

/// What a call finds in the cache.
struct Finding: CacheFinding {
    let call: Call
    let tool: any APICacheTool
    let key: APICacheKey
    /// The request without the fields that validate the stored response.
    let plain: URLRequest
    private(set) var hit: APIAnswer?
    var request: URLRequest
    /// The stored response, which the server may validate or which may replace its failure.
    var entry: APICacheEntry?
    /// When the lookup ended.
    private(set) var requested = Date()
    /// The stored response after the server has validated it.
    var renewed: APICacheEntry?

    init(_ call: Call, _ tool: any APICacheTool, _ request: URLRequest) {
        (self.call, self.tool, plain, self.request) = (call, tool, request, request)
        key = APICacheKey(
            request, users: call.users, credentialFields: call.credentialFields, cache: call.policy)
    }

    var policy: APICache { call.policy }
    var now: Date { call.settings.now() }

    /// Looks up the request, reports the result, and decides which request to send.
    mutating func lookUp() async throws {
        try await findEntry()
        guard hit == nil else { return }
        requested = now
        if let entry, let conditional = conditional(validating: entry) { request = conditional }
    }

    private mutating func findEntry() async throws {
        guard policy.readMode != .none else { return }
        guard let found = tool.entry(for: key), found.matches(plain) else { return report(.missing, "miss") }
        guard found.isFresh(at: now, for: plain) else {
            entry = found
            return report(.expired, "expired")
        }
        guard let answer = try await parsed(found) else {
            tool.remove(key)
            return report(.unusable("the stored response can no longer be parsed"), "unusable")
        }
        call.journal.note(.cacheRead, "hit")
        call.report(.success(answer), for: plain)
        entry = found
        if policy.readMode == .cancelNetwork { hit = answer }
    }

    /// Returns a stored response with its value; `nil` if it can no longer be parsed.
    private func parsed(_ entry: APICacheEntry) async throws -> APIAnswer? {
        do {
            guard let answer = entry.answer(to: plain, .cache, at: now) else { return nil }
            return try await call.parsed(answer)
        } catch APIError.responseError {
            return nil
        }
    }

    private func report(_ error: APICacheError, _ note: String) {
        call.journal.note(.cacheRead, note)
        call.report(.failure(error), for: plain)
    }

    /// Returns the request with the header fields that validate a stored response. Returns `nil` if validation is
    /// off, the stored response has no validator, or the request has its own conditional fields.
    private func conditional(validating entry: APICacheEntry) -> URLRequest? {
        guard policy.validates, !entry.conditions.isEmpty,
            plain.value(forHTTPHeaderField: "If-None-Match") == nil,
            plain.value(forHTTPHeaderField: "If-Modified-Since") == nil
        else { return nil }
        var request = plain
        for (name, value) in entry.conditions { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    /// Whether a redirect led to another URL, which gave the answer.
    func isRedirected(_ answer: APIAnswer) -> Bool {
        guard let url = answer.response.url, url != answer.request.url else { return false }
        return url.canonical != answer.request.url?.canonical
    }

    /// Returns the request to match against a response's `Vary`: the request as sent, but with the credentials that the
    /// request had at the lookup. The cache is read before accessories add credentials, so the accessory's `user`
    /// stands for those credentials in the key.
    func selecting(_ sent: URLRequest) -> URLRequest {
        var selecting = sent
        for field in call.credentialFields {
            let value = plain.value(forHTTPHeaderField: field)
            if value != sent.value(forHTTPHeaderField: field) {
                selecting.setValue(value, forHTTPHeaderField: field)
            }
        }
        return selecting
    }
}
