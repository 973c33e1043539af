import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Where cached answers are kept. ``CacheTool`` is the library's; an app may bring its own.
///
/// All operations must be safe from every thread, and what was stored must be seen by every look-up that
/// begins after ``store(_:for:mode:)`` has returned, or not at all.
///
/// Source: seeds/5-CSAPIService.md, "APICache" (同步读，异步存: read synchronously, store asynchronously).
public protocol APICacheTool: Sendable {
    /// The newest of what is stored under a key, however old.
    func entry(for key: APICacheKey) -> APICacheEntry?

    /// The newest of what is stored under a key that ``APICacheEntry/matches(_:)`` a request, however old. Called in the
    /// caller's thread of a send. By default the newest of all, or nothing when that does not match: for a tool that
    /// keeps one answer a key.
    func entry(for key: APICacheKey, answering request: URLRequest) -> APICacheEntry?

    /// Takes an answer to be stored, and returns without waiting for a disk. It replaces those under its key that match
    /// the same requests; others may stay.
    func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode)

    /// Removes all that is stored under a key.
    func remove(_ key: APICacheKey)

    /// Removes all that is stored for a user, as in ``APICacheKey/init(user:text:)``: at logout, say.
    func removeAll(user: String?)
}

extension APICacheTool {
    /// The newest under the key, if it matches.
    public func entry(for key: APICacheKey, answering request: URLRequest) -> APICacheEntry? {
        entry(for: key).flatMap { $0.matches(request) ? $0 : nil }
    }
}
