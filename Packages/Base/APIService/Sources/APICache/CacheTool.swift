import APIService
import Foundation
import Locking

/// The library's cache: in memory and on disk, each with a size limit.
///
/// The cache stores one response per key. A damaged, truncated or foreign file counts as a cache miss. Processes may share a
/// folder: a process sees the responses of other processes once they are on disk, but keeps responses in its memory even if
/// another process has removed them.
///
/// All operations are thread-safe.
///
/// Source: seed 5, "APICache".
public final class CacheTool: APICacheTool {
    /// The app's cache: 16 MiB in memory, and 128 MiB in the folder `APIService` in the user's caches folder.
    public static let shared = CacheTool(
        folder: (FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first
            ?? FileManager.default.temporaryDirectory).appendingPathComponent("APIService", isDirectory: true)
    )

    let memory: MemoryCache
    /// `nil` for a cache in memory only.
    private let disk: DiskCache?

    /// Creates a cache.
    ///
    /// - Parameters:
    ///   - folder: The folder for the files, with one subfolder per user. Do not keep anything else in this folder.
    ///   - memoryLimit: The approximate maximum size, in bytes, of the responses in memory.
    ///   - diskLimit: The maximum size of the files after a sweep, in bytes.
    public init(folder: URL, memoryLimit: Int = 16 << 20, diskLimit: Int = 128 << 20) {
        memory = MemoryCache(limit: memoryLimit)
        disk = DiskCache(folder: folder, limit: diskLimit)
    }

    private init(memoryLimit: Int) { (memory, disk) = (MemoryCache(limit: memoryLimit), nil) }

    /// Creates a cache that only uses memory, for tests and for apps that must leave nothing behind. Responses whose
    /// write mode is `APICacheWriteMode.disk` are not stored.
    ///
    /// - Parameter limit: The approximate maximum size of the responses in bytes.
    public static func inMemory(limit: Int = 16 << 20) -> CacheTool { CacheTool(memoryLimit: limit) }

    /// Returns the response under a key, from memory or else from disk. If memory has dropped a response that was stored in
    /// both places, the response is copied from disk back into memory.
    public func entry(for key: APICacheKey) -> APICacheEntry? {
        if let entry = memory.entry(for: key) { return entry }
        // Every change is made on disk first, so the entry is current unless memory has changed since.
        let changes = memory.changes
        let entry = disk?.entry(for: key)
        if let entry, entry.head.isForMemory { memory.store(entry, for: key, since: changes) }
        return entry
    }

    /// Stores a response, in memory immediately and on disk as soon as possible. If `mode` excludes memory or disk, the
    /// key's older response is removed from the excluded store, so that it cannot outlive the new one.
    public func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode) {
        guard mode != .none else { return }
        let entry = entry.stored(mode)
        if mode.includesDisk { disk?.store(entry, for: key) } else { disk?.remove(key) }
        if mode.includesMemory { memory.store(entry, for: key) } else { memory.remove(key) }
    }

    /// Removes the response under a key.
    public func remove(_ key: APICacheKey) {
        disk?.remove(key)
        memory.remove(key)
    }

    /// Removes all users' responses for a URL, and their files as soon as possible.
    public func removeAll(at location: String) {
        disk?.removeAll(at: location)
        memory.removeAll { $0.location == location }
    }

    /// Removes all responses of a user. Waits for the disk.
    public func removeAll(user: String?) {
        let partition = APICacheKey(user: user, text: "").partition
        disk?.removeAll(partition: partition)
        memory.removeAll { $0.partition == partition }
    }

    /// Removes all responses from memory, for example after a memory warning.
    public func removeAllFromMemory() { memory.removeAll { _ in true } }

    /// Waits until all previous changes are on disk.
    public func flush() async { await disk?.flush() }

    /// Removes abandoned temporary files, and then the oldest responses until the rest are within the limit.
    /// The cache also does this from time to time.
    public func sweep() async { await disk?.sweep() }
}

extension APICacheWriteMode {
    var includesMemory: Bool { self == .memory || self == .memoryAndDisk }
    var includesDisk: Bool { self == .disk || self == .memoryAndDisk }
}

/// Stores responses in memory. If their total cost exceeds the limit, the least recently used ones are evicted.
///
/// All operations are thread-safe. Complexity: O(1), except for evictions and ``removeAll(where:)``, which are O(*n*) in
/// the number of responses.
final class MemoryCache: Sendable {
    private struct Slot {
        let entry: APICacheEntry
        let cost: Int
        var lastUse: Int
    }

    private struct State {
        var slots: [APICacheKey: Slot] = [:]
        var cost = 0
        var uses = 0
        /// The number of changes so far.
        var changes = 0

        mutating func remove(_ key: APICacheKey) {
            changes += 1
            if let slot = slots.removeValue(forKey: key) { cost -= slot.cost }
        }
    }

    private let state = Locked(State())
    private let limit: Int

    /// - Parameter limit: The maximum total cost of all entries.
    init(limit: Int) { self.limit = limit }

    /// The total cost of all entries.
    var cost: Int { state.withLock { $0.cost } }

    /// The number of changes so far.
    var changes: Int { state.withLock { $0.changes } }

    func entry(for key: APICacheKey) -> APICacheEntry? {
        state.withLock { state in
            guard let index = state.slots.index(forKey: key) else { return nil }
            state.uses += 1
            state.slots.values[index].lastUse = state.uses
            return state.slots.values[index].entry
        }
    }

    /// Stores an entry, unless its cost alone exceeds the limit.
    ///
    /// - Parameter changes: The value of ``changes`` when the entry was read from another store. If the cache has
    ///   changed since, the entry may be outdated and is not stored. `nil` stores the entry unconditionally.
    func store(_ entry: APICacheEntry, for key: APICacheKey, since changes: Int? = nil) {
        let cost = entry.cost + key.text.utf8.count
        state.withLock { state in
            guard changes ?? state.changes == state.changes else { return }
            state.remove(key)
            guard cost <= limit else { return }
            while state.cost + cost > limit,
                let oldest = state.slots.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                state.remove(oldest.key)
            }
            state.uses += 1
            state.slots[key] = Slot(entry: entry, cost: cost, lastUse: state.uses)
            state.cost += cost
        }
    }

    func remove(_ key: APICacheKey) { state.withLock { $0.remove(key) } }

    /// Removes the entries of some keys.
    func removeAll(where isRemoved: (APICacheKey) -> Bool) {
        state.withLock { state in
            state.changes += 1
            for key in Array(state.slots.keys) where isRemoved(key) { state.remove(key) }
        }
    }
}

extension APISettings {
    /// The store used by requests that have an ``APICache``; `nil` by default, so that nothing is cached.
    public var cacheTool: (any APICacheTool)? {
        get { (cacheProvider as? Caching)?.tool }
        set { cacheProvider = newValue.map { Caching(tool: $0) } }
    }
}

extension APIConfig {
    /// The store used by requests that have an ``APICache``; `nil` by default, so that nothing is cached.
    ///
    /// Source: seed 5, "APICache".
    public var cacheTool: (any APICacheTool)? {
        get { settings.cacheTool }
        set { update { $0.cacheTool = newValue } }
    }
}
