import APIService
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Stores responses in memory. If their total cost exceeds the limit, the least recently used keys are
/// evicted with all their variants.
///
/// All operations are thread-safe. Complexity: O(1) each, except for ``removeAll(where:)``.
final class MemoryCache: Sendable {
    /// A node of a linked list in an array: `slots[0]` is the list's head, followed by the most recently used
    /// node.
    private struct Slot {
        var key: APICacheKey?
        var variants = Variants()
        var cost = 0
        var previous: Int
        var next: Int
    }

    private struct State {
        var slots = [Slot(previous: 0, next: 0)]
        var free: [Int] = []
        var indices: [APICacheKey: Int] = [:]
        var cost = 0
        /// The number of changes so far.
        var changes = 0

        mutating func unlink(_ index: Int) {
            let (previous, next) = (slots[index].previous, slots[index].next)
            slots[previous].next = next
            slots[next].previous = previous
        }

        mutating func linkFirst(_ index: Int) {
            let next = slots[0].next
            slots[index].previous = 0
            slots[index].next = next
            slots[next].previous = index
            slots[0].next = index
        }

        mutating func remove(_ key: APICacheKey) {
            changes += 1
            guard let index = indices.removeValue(forKey: key) else { return }
            unlink(index)
            cost -= slots[index].cost
            slots[index].key = nil
            slots[index].variants = Variants()
            free.append(index)
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

    /// Returns the newest of the key's responses that match the request; if `request` is `nil`, the newest response.
    func entry(for key: APICacheKey, answering request: URLRequest? = nil) -> APICacheEntry? {
        state.withLock { state in
            guard let index = state.indices[key] else { return nil }
            state.unlink(index)
            state.linkFirst(index)
            return state.slots[index].variants.entries.first(for: request)
        }
    }

    /// Stores an entry, unless its cost alone exceeds the limit. To make room, the key's older variants are evicted
    /// first.
    ///
    /// - Parameter changes: The value of ``changes`` when the entry was read from another store. If the cache has
    ///   changed since, the entry may be outdated and is not stored. `nil` stores the entry unconditionally.
    func store(_ entry: APICacheEntry, for key: APICacheKey, since changes: Int? = nil) {
        state.withLock { state in
            guard changes ?? state.changes == state.changes else { return }
            var variants = state.indices[key].map { state.slots[$0].variants } ?? Variants()
            state.remove(key)
            variants.insert(entry)
            var cost = variants.cost + key.text.utf8.count
            while cost > limit, let oldest = variants.removeOldest() { cost -= oldest.cost }
            guard !variants.entries.isEmpty else { return }
            let index: Int
            if let free = state.free.popLast() {
                index = free
            } else {
                index = state.slots.count
                state.slots.append(Slot(previous: 0, next: 0))
            }
            state.slots[index].key = key
            state.slots[index].variants = variants
            state.slots[index].cost = cost
            state.indices[key] = index
            state.linkFirst(index)
            state.cost += cost
            while state.cost > limit, let last = state.slots[state.slots[0].previous].key {
                state.remove(last)
            }
        }
    }

    func remove(_ key: APICacheKey) { state.withLock { $0.remove(key) } }

    /// Complexity: O(*n*) in the number of keys.
    func removeAll(where isRemoved: (APICacheKey) -> Bool) {
        state.withLock { state in
            state.changes += 1
            for key in Array(state.indices.keys) where isRemoved(key) { state.remove(key) }
        }
    }

    func removeAll() { state.withLock { $0 = State(changes: $0.changes + 1) } }
}

/// The responses under one key, the newest first. They differ in the values of the header fields that their
/// `Vary` names.
struct Variants: Sendable {
    /// The maximum number of responses.
    static let limit = 8

    private(set) var entries: [APICacheEntry] = []

    /// The approximate size in bytes.
    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    /// Whether a response replaces all others, because its `Vary` names different fields: the server has changed which
    /// request fields its responses depend on.
    func areReplaced(by entry: APICacheEntry) -> Bool {
        entries.first.map { $0.head.vary.keys != entry.head.vary.keys } ?? false
    }

    /// Inserts a response, which replaces the response with the same `Vary` values, or all others if
    /// ``areReplaced(by:)`` is true. Beyond the limit, the oldest responses are evicted.
    mutating func insert(_ entry: APICacheEntry) {
        let isOnly = areReplaced(by: entry)
        entries.removeAll { isOnly || $0.head.vary == entry.head.vary }
        entries.insert(entry, at: 0)
        if entries.count > Self.limit { entries.removeLast(entries.count - Self.limit) }
    }

    /// Removes and returns the oldest response.
    mutating func removeOldest() -> APICacheEntry? { entries.popLast() }
}

extension Variants {
    /// Creates variants from responses that all have different `Vary` values.
    init(_ entries: some Sequence<APICacheEntry>) { self.entries = Array(entries) }
}

extension Sequence<APICacheEntry> {
    /// Returns the first response that matches the request; if `request` is `nil`, the first response.
    func first(for request: URLRequest?) -> APICacheEntry? {
        first { entry in request.map { entry.matches($0) } ?? true }
    }
}
