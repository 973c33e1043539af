/// Where cached answers are kept. ``CacheTool`` is the library's; an app may bring its own.
///
/// All operations must be safe from every thread, and what was stored must be seen by every look-up that
/// begins after ``store(_:for:mode:)`` has returned, or not at all.
///
/// Source: seeds/5-CSAPIService.md, "APICache" (同步读，异步存: read synchronously, store asynchronously).
public protocol APICacheTool: Sendable {
    /// What is stored under a key, however old. Called in the caller's thread of a send.
    func entry(for key: APICacheKey) -> APICacheEntry?

    /// Takes an answer to be stored, and returns without waiting for a disk.
    func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode)

    /// Removes what is stored under a key.
    func remove(_ key: APICacheKey)

    /// Removes all that is stored for a user, as in ``APICacheKey/init(user:text:)``: at logout, say.
    func removeAll(user: String?)
}
