import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The answers under one key, the newest first. They differ in the values of the header fields that their `Vary` names.
///
/// Source: RFC 9111, 4.1.
struct Variants: Sendable {
    /// How many there are at most.
    static let limit = 8

    private(set) var entries: [APICacheEntry] = []

    /// About how many bytes they take.
    var cost: Int { entries.reduce(0) { $0 + $1.cost } }

    /// Whether an answer's `Vary` names other fields than theirs: the server has changed what its answers depend on, so
    /// it takes the place of them all.
    func areReplaced(by entry: APICacheEntry) -> Bool {
        entries.first.map { $0.head.vary.keys != entry.head.vary.keys } ?? false
    }

    /// Takes an answer in place of the one to the same values, or of all. The oldest leave when there are too many.
    mutating func insert(_ entry: APICacheEntry) {
        let isOnly = areReplaced(by: entry)
        entries.removeAll { isOnly || $0.head.vary == entry.head.vary }
        entries.insert(entry, at: 0)
        if entries.count > Self.limit { entries.removeLast(entries.count - Self.limit) }
    }

    /// Removes the oldest.
    mutating func removeOldest() -> APICacheEntry? { entries.popLast() }
}

extension Variants {
    /// These, of which none is like another.
    init(_ entries: some Sequence<APICacheEntry>) { self.entries = Array(entries) }
}

extension Sequence<APICacheEntry> {
    /// The first that answers a request; nil stands for any request.
    func first(for request: URLRequest?) -> APICacheEntry? {
        first { entry in request.map { entry.matches($0) } ?? true }
    }
}
