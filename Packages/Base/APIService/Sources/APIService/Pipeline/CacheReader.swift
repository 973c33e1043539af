import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The stage that reads the cache, in the caller's thread.
struct CacheReader: Sendable {
    /// What was found.
    enum Finding: Sendable {
        /// The request is not read from the cache.
        case off
        /// Nothing that answers it.
        case miss
        /// An answer that is too old.
        case expired(APICacheEntry)
        /// A fresh answer.
        case fresh(APICacheEntry)
    }

    let cache: APICache
    let key: APICacheKey
    let tool: any APICacheTool
    let credentialFields: Set<String>
    let now: Date
    /// Whose answer is looked for.
    private let users: [String]

    /// Nil when the request is not cached at all.
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

    /// Whether the user is the one that the answer was looked for, and not another who has logged in meanwhile, or nobody:
    /// then it is not known with whose token the answer was got, and who has left shall stay forgotten.
    func isStillTheirs(_ settings: APISettings) -> Bool { settings.users == users }

    func read(_ request: URLRequest) -> Finding {
        guard cache.readMode != .none else { return .off }
        guard let entry = tool.entry(for: key, answering: request) else { return .miss }
        return entry.isFresh(at: now) ? .fresh(entry) : .expired(entry)
    }

    /// The request whose fields an answer's `Vary` is about: the one that was sent, with the credentials of the one that
    /// is looked up. For those that an accessory added stands its user, and no look-up can know them.
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

    /// The request with the fields that ask whether a stored answer still holds; as it is when it has such
    /// fields of its own, or there is nothing to validate.
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
