import APIService
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

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
