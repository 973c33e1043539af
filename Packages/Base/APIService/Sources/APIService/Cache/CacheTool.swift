import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The library's cache: answers in memory, bounded by cost, and on disk, bounded by size and swept.
///
/// Under one key there are up to eight answers, whose `Vary` names the same fields with other values; the oldest leave
/// first. Torn, truncated and foreign files are misses. Processes may share a folder: each sees the others' answers once
/// they are on disk, but not removals of what it has in memory.
///
/// All operations are safe from every thread.
///
/// Source: seeds/5-CSAPIService.md, "APICache".
public final class CacheTool: APICacheTool {
    /// The app's cache: 16 MiB in memory, 128 MiB in the folder `APIService` of the user's caches.
    public static let shared = CacheTool(
        folder: (FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory).appendingPathComponent("APIService", isDirectory: true)
    )

    private let memory: MemoryCache
    /// Nil for one in memory alone.
    private let disk: DiskCache?

    /// A cache of its own.
    ///
    /// - Parameters:
    ///   - folder: Where the files lie, those of a user in a folder. Nothing else may be kept there.
    ///   - memoryLimit: The most bytes, about, that answers take in memory.
    ///   - diskLimit: The most bytes that files take after a sweep.
    public init(folder: URL, memoryLimit: Int = 16 << 20, diskLimit: Int = 128 << 20) {
        memory = MemoryCache(limit: memoryLimit)
        disk = DiskCache(folder: folder, limit: diskLimit)
    }

    private init(memoryLimit: Int) { (memory, disk) = (MemoryCache(limit: memoryLimit), nil) }

    /// A cache of its own in memory alone, for tests and for apps that shall leave nothing behind: what goes to disk
    /// only is not stored.
    ///
    /// - Parameter limit: The most bytes, about, that answers take.
    public static func inMemory(limit: Int = 16 << 20) -> CacheTool { CacheTool(memoryLimit: limit) }

    /// The newest of what is stored under a key, from memory, else from disk. From there it goes into memory again, if it
    /// was stored in both.
    public func entry(for key: APICacheKey) -> APICacheEntry? {
        memory.entry(for: key) ?? fromDisk(key) { $0.entry(for: key) }
    }

    /// The newest of what is stored under a key that answers a request, from memory, else from disk, as in
    /// ``entry(for:)``.
    public func entry(for key: APICacheKey, answering request: URLRequest) -> APICacheEntry? {
        memory.entry(for: key, answering: request)
            ?? fromDisk(key) { $0.entry(for: key, answering: request) }
    }

    private func fromDisk(_ key: APICacheKey, _ read: (DiskCache) -> APICacheEntry?) -> APICacheEntry? {
        guard let disk else { return nil }
        // Every change is made on disk first. So what was read is still right as long as memory has not changed since.
        let changes = memory.changes
        let entry = read(disk)
        if let entry, entry.head.isForMemory { memory.store(entry, for: key, since: changes) }
        return entry
    }

    /// Stores in memory at once, on disk as soon as may be. What the mode leaves out is removed there: an old
    /// answer must not outlive a newer one.
    public func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode) {
        guard mode != .none else { return }
        let entry = entry.stored(mode)
        if mode.includesDisk { disk?.store(entry, for: key) } else { disk?.remove(key) }
        if mode.includesMemory { memory.store(entry, for: key) } else { memory.remove(key) }
    }

    /// Removes all that is stored under a key.
    public func remove(_ key: APICacheKey) {
        disk?.remove(key)
        memory.remove(key)
    }

    /// Removes all that is stored for a user. Waits for the disk.
    public func removeAll(user: String?) {
        let partition = APICacheKey(user: user, text: "").partition
        disk?.removeAll(partition: partition)
        memory.removeAll(partition: partition)
    }

    /// Forgets what is in memory, at a memory warning, say.
    public func removeAllFromMemory() { memory.removeAll() }

    /// Waits until all that was stored or removed before is on disk.
    public func flush() async { await disk?.flush() }

    /// Removes left-over half-written files, and the oldest answers until the rest are within the limit. Done
    /// now and then anyhow.
    public func sweep() async { await disk?.sweep() }
}
