import APIService
import APITransport
import Foundation

/// The step that stores an answer.
extension Finding {
    /// Stores an answer that was parsed. Removes a stored response that can no longer be parsed or stored.
    func store(_ answer: APIAnswer) throws -> APIAnswer {
        let isUsable = if case .success? = answer.value { true } else { false }
        switch answer.source {
        case .cache, .stale: break
        case .network where isUsable && policy.writeMode != .none: storeNew(answer)
        case .network: break
        case .validated where !isUsable:
            // A parser that was stopped by the time limit says nothing about the response.
            guard case .failure(.responseError)? = answer.value else { break }
            tool.remove(key)
            throw APIError.cacheError(.unusable("the stored response can no longer be parsed"))
        case .validated:
            guard let renewed, renewed.isStorable else {
                call.journal.note(.cacheWrite, "no longer storable")
                tool.remove(key)
                break
            }
            if policy.writeMode != .none { write(renewed, for: key) }
        }
        return answer
    }

    private func storeNew(_ answer: APIAnswer) {
        guard !answer.isAnonymous, RedirectPolicy.isSameOrigin(answer.response.url, answer.request.url) else {
            let reason = "not storable, because a redirect led to another origin"
            return call.journal.note(.cacheWrite, reason)
        }
        guard let key = keyOfSource(answer) else {
            return call.journal.note(.cacheWrite, "not storable, because a redirect led to another URL")
        }
        let wish = CacheControl(answer.request.value(forHTTPHeaderField: "Cache-Control"))
        guard !wish.has("no-store"), policy.shouldCacheHandler?(answer.response, answer.body) ?? true,
            let entry = APICacheEntry(
                answer.response, body: answer.body, for: selecting(answer.request), stored: now, expires: nil)
        else { return call.journal.note(.cacheWrite, "not storable") }
        write(entry.dated(policy.expiry, requested: requested), for: key)
    }

    /// Stores an entry, unless the user has changed.
    private func write(_ entry: APICacheEntry, for key: APICacheKey) {
        if isStillTheirs {
            tool.store(entry, for: key, mode: policy.writeMode)
            // A log-out removes the user's responses after the user has changed, but perhaps before this response was stored.
            if isStillTheirs { return call.journal.note(.cacheWrite, "\(policy.writeMode)") }
            tool.remove(key)
        }
        call.journal.note(.cacheWrite, "the user has changed")
    }

    /// Returns the key of the URL that gave an answer. The redirects that led to it are not stored, because they have
    /// their own lifetime. Returns `nil` if the redirect would be lost in a custom key, or if the method is unsafe.
    private func keyOfSource(_ answer: APIAnswer) -> APICacheKey? {
        guard isRedirected(answer) else { return key }
        guard plain.method.isSafe else { return nil }
        var source = plain
        source.url = answer.response.url
        let key = APICacheKey(
            source, users: call.users, credentialFields: call.credentialFields, cache: policy)
        return key.text == self.key.text ? nil : key
    }

    /// Whether the users are the same as when the request was made. If somebody has logged in or out since then, the token
    /// may belong to either user, and the data of a user who has logged out must not be stored again.
    private var isStillTheirs: Bool { call.settings.users == call.users }
}
