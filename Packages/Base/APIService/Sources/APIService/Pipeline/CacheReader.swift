import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The stage that reads the cache, on the caller's thread.
struct CacheReader: Sendable {
    /// The result of a cache lookup.
    enum Finding: Sendable {
        /// The request does not read the cache.
        case off
        /// No response is stored for the request.
        case miss
        /// An expired response.
        case expired(APICacheEntry)
        /// A fresh response.
        case fresh(APICacheEntry)
    }

    let cache: APICache
    let key: APICacheKey
    let tool: any APICacheTool
    let credentialFields: Set<String>
    let now: Date
    /// The users that the response is looked up for.
    private let users: [String]

    /// Returns `nil` if the request neither reads nor writes the cache.
    init?(
        _ request: URLRequest, cache: APICache?, settings: APISettings,
        credentialFields: @autoclosure () -> Set<String>
    ) {
        guard let cache, cache.readMode != .none || cache.writeNode != .none else { return nil }
        self.cache = cache
        self.credentialFields = credentialFields()
        users = settings.users
        key = APICacheKey(
            request, users: users, credentialFields: self.credentialFields, cache: cache)
        tool = settings.cacheTool
        now = settings.now()
    }

    /// Whether the users are the same as at the lookup. If somebody has logged in or out since, the token may
    /// belong to either user, and the data of a user who has logged out must not be stored again.
    func isStillTheirs(_ settings: APISettings) -> Bool { settings.users == users }

    func read(_ request: URLRequest) -> Finding {
        guard cache.readMode != .none else { return .off }
        guard let entry = tool.entry(for: key, answering: request) else { return .miss }
        return entry.isFresh(at: now) ? .fresh(entry) : .expired(entry)
    }

    /// Returns the request whose header fields a response's `Vary` refers to: the request as sent, but with
    /// the credentials of the request that was looked up. A lookup cannot know the credentials that an
    /// accessory adds; the accessory's user stands for them.
    func selecting(_ sent: URLRequest, lookedUp request: URLRequest) -> URLRequest {
        var selecting = sent
        for field in credentialFields {
            let value = request.value(forHTTPHeaderField: field)
            if value != sent.value(forHTTPHeaderField: field) {
                selecting.setValue(value, forHTTPHeaderField: field)
            }
        }
        return selecting
    }

    /// Returns the request with the header fields that validate a stored response. Returns `nil` if
    /// validation is off, the stored response has no validator, or the request has conditional fields of its
    /// own.
    func conditional(_ request: URLRequest, validating entry: APICacheEntry) -> URLRequest? {
        guard cache.validates, !entry.conditions.isEmpty,
            request.value(forHTTPHeaderField: "If-None-Match") == nil,
            request.value(forHTTPHeaderField: "If-Modified-Since") == nil
        else { return nil }
        var request = request
        for (name, value) in entry.conditions { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }
}
