import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The link that answers a request from the cache, and stores the server's answer.
struct CacheLink: Link {
    let call: Call
    let tool: any APICacheTool
    let key: APICacheKey

    private var policy: APICache { call.policy }
    private var now: Date { call.settings.now() }

    func send(_ request: URLRequest, _ next: Next) async throws -> APIAnswer {
        let (answer, entry) = try await lookUp(request)
        if let answer { return answer }
        if let entry { call.onTimeout { stale(entry, request, because: "the time limit was exceeded") } }
        return try await ask(request, entry, next)
    }

    /// Sends the request, or validates the stored response.
    private func ask(
        _ request: URLRequest, _ entry: APICacheEntry?, _ next: Next
    ) async throws -> APIAnswer {
        let requested = now
        let sent = entry.flatMap { conditional(request, validating: $0) } ?? request
        do {
            let answer = try await next(sent)
            let status = answer.response.statusCode
            if status == 304, let entry, isValidation(sent, of: entry) {
                guard entry.isDescribed(by: answer.response), !isRedirected(answer) else {
                    // RFC 9111, 4.3.4: the 304 refers to a different response than the stored one.
                    tool.remove(key)
                    return try await stored(try await next(request), request, requested)
                }
                return try await validated(entry, by: answer, request, requested)
            }
            if status >= 500, let entry,
                let stale = stale(entry, sent, because: "the server answered \(status)")
            {
                return stale
            }
            return try await stored(answer, request, requested)
        } catch {
            guard isOutage(error), let entry, let stale = stale(entry, sent, because: "\(error)") else {
                throw error
            }
            return stale
        }
    }

    // MARK: Before sending

    /// Looks up the request in the cache, and reports the result. Returns the cached answer (`nil` if the request must
    /// be sent) and the stored response to validate, if any.
    private func lookUp(_ request: URLRequest) async throws -> (APIAnswer?, APICacheEntry?) {
        guard policy.readMode != .none else { return (nil, nil) }
        guard let entry = tool.entry(for: key), entry.matches(request) else {
            report(.missing, "miss", request)
            return (nil, nil)
        }
        guard entry.isFresh(at: now, for: request) else {
            report(.expired, "expired", request)
            return (nil, entry)
        }
        guard let answer = try await answer(entry, request, .cache) else {
            tool.remove(key)
            report(.unusable("the stored response can no longer be parsed"), "unusable", request)
            return (nil, nil)
        }
        call.journal.note(.cacheRead, "hit")
        call.report(.success(answer), for: request)
        return (policy.readMode == .cancelNetwork ? answer : nil, entry)
    }

    private func report(_ error: APICacheError, _ note: String, _ request: URLRequest) {
        call.journal.note(.cacheRead, note)
        call.report(.failure(error), for: request)
    }

    /// Returns a stored response as the answer to a request, or `nil` if it can no longer be parsed.
    private func answer(
        _ entry: APICacheEntry, _ request: URLRequest, _ source: APIResponseSource
    ) async throws -> APIAnswer? {
        guard let answer = unparsed(entry, request, source) else { return nil }
        do {
            return try await call.parsed(answer)
        } catch .responseError {
            return nil
        }
    }

    private func unparsed(
        _ entry: APICacheEntry, _ request: URLRequest, _ source: APIResponseSource
    ) -> APIAnswer? {
        guard let response = entry.response(at: now) else { return nil }
        var answer = APIAnswer(request: request, response: response, body: entry.body)
        answer.source = source
        return answer
    }

    /// Returns the request with the header fields that validate a stored response. Returns `nil` if validation is
    /// off, the stored response has no validator, or the request has its own conditional fields.
    private func conditional(_ request: URLRequest, validating entry: APICacheEntry) -> URLRequest? {
        guard policy.validates, !entry.conditions.isEmpty,
            request.value(forHTTPHeaderField: "If-None-Match") == nil,
            request.value(forHTTPHeaderField: "If-Modified-Since") == nil
        else { return nil }
        var request = request
        for (name, value) in entry.conditions { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    // MARK: After the answer

    private func isValidation(_ sent: URLRequest, of entry: APICacheEntry) -> Bool {
        !entry.conditions.isEmpty
            && entry.conditions.allSatisfy { sent.value(forHTTPHeaderField: $0.name) == $0.value }
    }

    private func validated(
        _ entry: APICacheEntry, by answer: APIAnswer, _ request: URLRequest, _ requested: Date
    ) async throws -> APIAnswer {
        call.journal.note(.parse, "304, the cached response is still valid")
        let renewed = entry.validated(
            by: answer.response, for: selecting(answer.request, lookedUp: request), stored: now
        ).dated(policy.expiry, requested: requested)
        guard let parsed = try await self.answer(renewed, answer.request, .validated) else {
            tool.remove(key)
            throw APIError.cacheError(.unusable("the stored response can no longer be parsed"))
        }
        if !renewed.isStorable {
            call.journal.note(.cacheWrite, "no longer storable")
            tool.remove(key)
        } else if isStillTheirs {
            write(renewed, for: key)
        }
        return parsed
    }

    private func stored(
        _ answer: APIAnswer, _ request: URLRequest, _ requested: Date
    ) async throws -> APIAnswer {
        guard policy.writeMode != .none, call.accepts(answer.response.statusCode) else { return answer }
        call.journal.note(.parse)
        let answer = try await call.parsed(answer)
        guard isStillTheirs else {
            call.journal.note(.cacheWrite, "the user has changed")
            return answer
        }
        guard let key = keyOfSource(answer, request) else {
            call.journal.note(.cacheWrite, "not storable, because a redirect led to another origin")
            return answer
        }
        let wish = CacheControl(answer.request.value(forHTTPHeaderField: "Cache-Control"))
        guard !wish.has("no-store"), policy.shouldCacheHandler?(answer.response, answer.body) ?? true,
            let entry = APICacheEntry(
                answer.response, body: answer.body, for: selecting(answer.request, lookedUp: request),
                stored: now, expires: nil)
        else {
            call.journal.note(.cacheWrite, "not storable")
            return answer
        }
        write(entry.dated(policy.expiry, requested: requested), for: key)
        return answer
    }

    /// Whether a redirect led to another URL, which gave the answer.
    private func isRedirected(_ answer: APIAnswer) -> Bool {
        guard let url = answer.response.url, url != answer.request.url else { return false }
        return APICacheKey.location(url) != APICacheKey.location(answer.request.url)
    }

    /// Returns the key of the URL that gave an answer. The redirects that led to it are not stored, because they have
    /// their own lifetime. Returns `nil` if that URL has another origin, because its request had no credentials, or if
    /// the redirect would be lost in a custom key.
    private func keyOfSource(_ answer: APIAnswer, _ request: URLRequest) -> APICacheKey? {
        guard isRedirected(answer) else { return key }
        guard RedirectPolicy.isSameOrigin(answer.response.url, answer.request.url),
            request.method.isSafe
        else { return nil }
        var source = request
        source.url = answer.response.url
        let key = APICacheKey(
            source, users: call.users, credentialFields: call.credentialFields, cache: policy)
        return key.text == self.key.text ? nil : key
    }

    private func write(_ entry: APICacheEntry, for key: APICacheKey) {
        guard policy.writeMode != .none else { return }
        call.journal.note(.cacheWrite, "\(policy.writeMode)")
        tool.store(entry, for: key, mode: policy.writeMode)
    }

    /// Whether the users are the same as when the request was made. If somebody has logged in or out since then, the token
    /// may belong to either user, and the data of a user who has logged out must not be stored again.
    private var isStillTheirs: Bool { call.settings.users == call.users }

    /// Returns the request to match against a response's `Vary`: the request as sent, but with the credentials that the
    /// request had at the lookup. The cache is read before accessories add credentials, so the accessory's `user`
    /// stands for those credentials in the key.
    private func selecting(_ sent: URLRequest, lookedUp request: URLRequest) -> URLRequest {
        var selecting = sent
        for field in call.credentialFields {
            let value = request.value(forHTTPHeaderField: field)
            if value != sent.value(forHTTPHeaderField: field) {
                selecting.setValue(value, forHTTPHeaderField: field)
            }
        }
        return selecting
    }

    private func isOutage(_ error: any Error) -> Bool {
        switch error as? APIError {
        case .unreachable, .connectionError: true
        default: false
        }
    }

    /// Returns the stale response if it may be used instead of the failure. A time-out is one: it would result in a 504
    /// (RFC 5861, 4). Parses the response without waiting, because the time limit may have been exceeded.
    private func stale(
        _ entry: APICacheEntry, _ sent: URLRequest, because reason: String
    ) -> APIAnswer? {
        guard entry.usableOnError(until: policy.staleIfError, at: now),
            let answer = unparsed(entry, sent, .stale).flatMap({ try? call.parsedNow($0) })
        else { return nil }
        call.journal.note(.parse, "stale, because \(reason)")
        return answer
    }
}
