import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A store for cached responses. ``CacheTool`` is the library's own implementation; an app may provide another.
///
/// All operations must be thread-safe. A response must be visible either to all lookups that begin after
/// ``store(_:for:mode:)`` has returned, or to none.
///
/// Source: seed 5, "APICache" (同步读，异步存: read synchronously, store asynchronously).
public protocol APICacheTool: Sendable {
    /// Returns the newest response stored under a key, even if it has expired.
    func entry(for key: APICacheKey) -> APICacheEntry?

    /// Returns the newest of the key's responses that match a request (see ``APICacheEntry/matches(_:)``), even
    /// if it has expired. Called on the thread of the request's caller.
    ///
    /// The default implementation is meant for stores with one response per key. It returns ``entry(for:)``
    /// if that response matches.
    func entry(for key: APICacheKey, answering request: URLRequest) -> APICacheEntry?

    /// Stores a response, without waiting for the disk. The response replaces the responses under its key that match
    /// the same requests; other responses under the key may remain.
    func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode)

    /// Removes all responses under a key.
    func remove(_ key: APICacheKey)

    /// Removes all users' responses for a URL, because an unsafe request such as a POST has changed the resource
    /// (RFC 9111, 4.4). `location` is the ``APICacheKey/location`` of the responses' keys.
    func removeAll(at location: String)

    /// Removes all responses of a user, for example at logout. `user` has the same meaning as in
    /// ``APICacheKey/init(user:text:)``.
    func removeAll(user: String?)
}

extension APICacheTool {
    /// Returns the newest response under the key, if it matches.
    public func entry(for key: APICacheKey, answering request: URLRequest) -> APICacheEntry? {
        entry(for: key).flatMap { $0.matches(request) ? $0 : nil }
    }
}
