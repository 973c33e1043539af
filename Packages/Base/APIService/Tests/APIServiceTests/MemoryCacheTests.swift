import Foundation
import TestSupport
import Testing

@testable import APICache

@Suite("The memory cache")
struct MemoryCacheTests {
    private let key = APICacheKey(user: nil, text: "key")

    @Test("The memory cache is limited by cost and evicts the least recently used entry first")
    func memory() {
        let one = entry(Data(repeating: 1, count: 1_000))
        let cost = one.cost + 1
        let memory = MemoryCache(limit: cost * 3)
        for text in ["a", "b", "c"] { memory.store(one, for: APICacheKey(user: nil, text: text)) }
        _ = memory.entry(for: APICacheKey(user: nil, text: "a"))
        memory.store(one, for: APICacheKey(user: nil, text: "d"))
        let there = ["a", "b", "c", "d"].filter { memory.entry(for: APICacheKey(user: nil, text: $0)) != nil }
        #expect(there == ["a", "c", "d"])
        #expect(memory.cost == cost * 3)
        memory.store(entry(Data(repeating: 1, count: 5_000)), for: APICacheKey(user: nil, text: "a"))
        #expect(memory.entry(for: APICacheKey(user: nil, text: "a")) == nil)
        memory.removeAll { $0.partition == "public" }
        #expect(memory.cost == 0)
    }

    @Test("An entry from disk is not stored in memory if the memory has changed since the entry was read")
    func outdated() {
        let memory = MemoryCache(limit: 1 << 20), old = entry(Data("old".utf8)), changes = memory.changes
        memory.store(old, for: key, since: changes)
        #expect(memory.entry(for: key)?.body == old.body)
        memory.remove(key)
        memory.store(old, for: key, since: changes)
        #expect(memory.entry(for: key) == nil)
        // The entry belonged to a user who has logged out since.
        let current = memory.changes
        memory.removeAll { _ in true }
        memory.store(old, for: key, since: current)
        #expect(memory.entry(for: key) == nil)
    }

    @Test("The memory cache agrees with a model that lists the most recently used keys")
    func memoryModel() {
        var random = SeededRandom(4)
        let one = entry(Data())
        let memory = MemoryCache(limit: (one.cost + 1) * 4)
        var model: [String] = []
        for _ in 0..<2_000 {
            let text = String(UnicodeScalar(UInt8.random(in: 97...104, using: &random)))
            let key = APICacheKey(user: nil, text: text)
            switch Int.random(in: 0...3, using: &random) {
            case 0, 1:
                memory.store(one, for: key)
                model = [text] + model.filter { $0 != text }
                if model.count > 4 { model.removeLast() }
            case 2:
                #expect((memory.entry(for: key) != nil) == model.contains(text))
                if model.contains(text) { model = [text] + model.filter { $0 != text } }
            default:
                memory.remove(key)
                model.removeAll { $0 == text }
            }
            #expect(memory.cost == (one.cost + 1) * model.count)
        }
    }
}
