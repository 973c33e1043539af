import APIService
import Foundation

/// A store for cached responses. ``CacheTool`` is the library's own implementation; an app may provide another.
///
/// All operations must be thread-safe. A response must be visible either to all lookups that begin after
/// ``store(_:for:mode:)`` has returned, or to none. The caller checks whether a response that is found is fresh and
/// matches the request's header fields.
///
/// Source: seed 5, "APICache" (同步读，异步存: read synchronously, store asynchronously).
public protocol APICacheTool: Sendable {
    /// Returns the response stored under a key, even if it has expired. Called on any thread, but not on the actor of the
    /// caller.
    func entry(for key: APICacheKey) -> APICacheEntry?

    /// Stores a response, without waiting for the disk. It replaces the response under its key.
    func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode)

    /// Removes the response under a key.
    func remove(_ key: APICacheKey)

    /// Removes all users' responses for a URL, because an unsafe request such as a POST has changed the resource
    /// (RFC 9111, 4.4). `location` is the ``APICacheKey/location`` of the responses' keys.
    func removeAll(at location: String)

    /// Removes all responses of a user, for example at logout. `user` has the same meaning as in
    /// ``APICacheKey/init(user:text:)``.
    func removeAll(user: String?)
}
