import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APICache
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A cached response to a request with `X-Lang: language`, or a cached response without `Vary` if `language`
/// is nil.
private func entry(_ body: String, _ language: String?, vary name: String = "x-lang") -> APICacheEntry {
    APICacheEntry(
        head: .init(
            url: url("http://h/"), statusCode: 200, fields: [:], stored: Date(), expires: nil,
            vary: language.map { [name: APICacheEntry.digest($0)] } ?? [:]),
        body: Data(body.utf8))
}

private func request(_ language: String) -> URLRequest {
    var request = URLRequest(url: url("http://h/"))
    request.setValue(language, forHTTPHeaderField: "X-Lang")
    return request
}

private func text(_ entry: APICacheEntry?) -> String? {
    entry.map { String(decoding: $0.body, as: UTF8.self) }
}

@Suite("Cached variants of a response, read through APIService")
struct VariantTests {
    private let folder: TemporaryFolder
    private let tool: CacheTool
    private let date = Recorded(Date(timeIntervalSince1970: 1_000_000))
    private let vary = Recorded("X-Lang")

    init() throws {
        folder = try TemporaryFolder()
        tool = CacheTool(folder: folder.url)
    }

    /// A service whose server responds with the request's language and the number of requests so far. A
    /// conditional request gets a 304.
    private func service(_ change: (inout APISettings) -> Void = { _ in }) -> APIService {
        let (vary, count) = (vary, Recorded(0))
        let client = StubAPIClient { request in
            let number = count.next()
            let isCondition = request.value(forHTTPHeaderField: "If-None-Match") != nil
            let language = request.value(forHTTPHeaderField: "X-Lang") ?? "none"
            return .text(
                isCondition ? "" : "\(language) \(number)", statusCode: isCondition ? 304 : 200,
                headers: ["Vary": vary.value, "ETag": "\"\(language)\""])
        }
        let config = testSettings { [tool, date] settings in
            settings.cacheTool = tool
            settings.now = { date.value }
            change(&settings)
        }
        return APIService(client: client, config: config)
    }

    private func send(
        _ language: String, _ service: APIService, _ mode: APICacheWriteMode = .memoryAndDisk,
        extra: String = ""
    ) async -> String {
        var cache = APICache()
        cache.extraCacheKey = extra
        (cache.readMode, cache.writeMode, cache.expiry) = (.cancelNetwork, mode, .seconds(10))
        let request = TestRequest(Text.self) { [cache] in
            $0.cache = cache
            $0.headers = language.isEmpty ? [:] : ["X-Lang": language]
        }
        let response = await service.response(to: request)
        return "\(response.source): \(response.result.value?.text ?? "\(response.result)")"
    }

    @Test(
        "Requests that alternate between two languages each hit their own variant",
        arguments: [APICacheWriteMode.memory, .disk])
    func alternate(mode: APICacheWriteMode) async {
        let service = service()
        #expect(await send("a", service, mode) == "network: a 1")
        #expect(await send("b", service, mode) == "network: b 2")
        for _ in 1...2 {
            #expect(await send("a", service, mode) == "cache: a 1")
            #expect(await send("b", service, mode) == "cache: b 2")
            await tool.flush()
        }
        #expect(await send("", service, mode) == "network: none 3")
    }

    @Test("When the server sends no Vary, only extraCacheKey keeps the responses for two languages apart")
    func unnamed() async {
        vary.update { $0 = "" }
        let service = service()
        #expect(await send("a", service) == "network: a 1")
        #expect(await send("b", service) == "cache: a 1")
        #expect(await send("b", service, extra: "b") == "network: b 2")
        #expect(await send("b", service, extra: "b") == "cache: b 2")
    }

    /// A service whose cache holds two expired variants.
    private func expired() async -> APIService {
        let service = service()
        _ = await send("a", service)
        _ = await send("b", service)
        date.update { $0 += 10 }
        return service
    }

    @Test("A 304 refreshes only the variant that was requested")
    func validation() async {
        let service = await expired()
        #expect(await send("a", service) == "validated: a 1")
        date.update { $0 += 9 }
        #expect(await send("a", service) == "cache: a 1")
        #expect(await send("b", service) == "validated: b 2")
    }

    @Test("A 304 with Vary: * removes all variants of the key")
    func validatedStar() async {
        let service = await expired()
        vary.update { $0 = "*" }
        #expect(await send("a", service) == "validated: a 1")
        vary.update { $0 = "X-Lang" }
        #expect(await send("a", service) == "network: a 4")
        #expect(await send("b", service) == "network: b 5")
    }

    @Test("A response whose Vary names other fields, or no fields, replaces all variants")
    func changed() async {
        let service = service()
        for (number, names) in [(1, "X-Other, x-lang"), (4, "")] {
            vary.update { $0 = "X-Lang" }
            #expect(await send("a", service) == "network: a \(number)")
            vary.update { $0 = names }
            #expect(await send("b", service) == "network: b \(number + 1)")
            // A response without Vary matches every request.
            let isAll = names.isEmpty
            #expect(
                await send("a", service) == (isAll ? "cache: b \(number + 1)" : "network: a \(number + 2)"))
            tool.removeAll(user: nil)
        }
    }

    @Test("Removing a key removes all its variants from memory and disk")
    func removal() async throws {
        let service = service()
        for _ in 1...2 {
            _ = await send("a", service)
            _ = await send("b", service)
        }
        await tool.flush()
        var asked = URLRequest(url: url("http://test.example/thing"))
        asked.httpMethod = "GET"
        let key = APICacheKey(asked, users: [], cache: APICache())
        #expect(tool.entry(for: key) != nil)
        tool.remove(key)
        #expect(tool.entry(for: key) == nil)
        #expect(await send("a", service) == "network: a 3")
        #expect(await send("b", service) == "network: b 4")
        tool.removeAll(user: nil)
        #expect(folder.files.isEmpty)
        #expect(await send("a", service) == "network: a 5")
        #expect(await send("b", service) == "network: b 6")
    }

    @Test("Vary ignores the credentials that an accessory adds, but not the accessory's other header fields")
    func accessories() async {
        vary.update { $0 = "Authorization" }
        let token = Recorded("1")
        let service = service {
            $0.accessories = [APITokenAccessory(user: { "ann" }, token: { token.value })]
        }
        #expect(await send("a", service) == "network: a 1")
        token.update { $0 = "2" }
        #expect(await send("a", service) == "cache: a 1")
        vary.update { $0 = "X-Lang" }
        let languages = self.service { $0.accessories = [APIHeaderAccessory(["X-Lang": "a"])] }
        #expect(await send("", languages) == "network: a 1")
        #expect(await send("", languages) == "network: a 2")
    }

    /// A custom cache tool that stores one response per key.
    private struct OneResponse: APICacheTool {
        let answers = Recorded<[APICacheKey: APICacheEntry]>([:])
        func entry(for key: APICacheKey) -> APICacheEntry? { answers.value[key] }
        func store(_ entry: APICacheEntry, for key: APICacheKey, mode: APICacheWriteMode) {
            answers.update { $0[key] = entry }
        }
        func remove(_ key: APICacheKey) { answers.update { $0[key] = nil } }
        func removeAll(at location: String) {}
        func removeAll(user: String?) {}
    }

    @Test("A custom cache tool that stores one response per key never causes a wrong hit")
    func ownTool() async {
        let service = service { $0.cacheTool = OneResponse() }
        #expect(await send("a", service) == "network: a 1")
        #expect(await send("a", service) == "cache: a 1")
        #expect(await send("b", service) == "network: b 2")
        #expect(await send("a", service) == "network: a 3")
    }
}

@Suite("Storage of variants in memory and on disk")
struct StoredVariantTests {
    private let folder: TemporaryFolder
    private let key = APICacheKey(user: nil, text: "key")

    init() throws { folder = try TemporaryFolder() }

    private func disk(limit: Int = 1 << 20) -> DiskCache { DiskCache(folder: folder.url, limit: limit) }

    @Test("A key has a maximum number of variants, and its oldest variant is evicted first")
    func bound() async {
        let (memory, disk) = (MemoryCache(limit: 1 << 20), disk())
        for number in 0...Variants.limit {
            memory.store(entry("\(number)", "\(number)"), for: key)
            disk.store(entry("\(number)", "\(number)"), for: key)
        }
        await disk.flush()
        for number in 0...Variants.limit {
            let expected = number == 0 ? nil : "\(number)"
            #expect(text(memory.entry(for: key, answering: request("\(number)"))) == expected)
            #expect(text(disk.entry(for: key, answering: request("\(number)"))) == expected)
        }
    }

    @Test("The memory cache counts the cost of all variants, and evicts the oldest variant at the limit")
    func memoryCost() {
        let one = entry("x", "a")
        let memory = MemoryCache(limit: one.cost * 3 + key.text.utf8.count)
        for language in ["a", "b", "c"] { memory.store(entry("x", language), for: key) }
        #expect(memory.cost == one.cost * 3 + key.text.utf8.count)
        memory.store(entry("x", "d"), for: key)
        #expect(memory.cost == one.cost * 3 + key.text.utf8.count)
        #expect(memory.entry(for: key, answering: request("a")) == nil)
        #expect(memory.entry(for: key, answering: request("b")) != nil)
        memory.remove(key)
        #expect(memory.cost == 0)
    }

    @Test(
        "The disk cache keeps a key's newest variants within the limit, and a sweep deletes the key's whole file"
    )
    func diskBound() async throws {
        let body = String(repeating: "x", count: 1_000)
        let disk = disk(limit: 3_000)
        for language in ["a", "b", "c"] { disk.store(entry(body, language), for: key) }
        await disk.flush()
        let found = ["a", "b", "c"].filter { disk.entry(for: key, answering: request($0)) != nil }
        #expect(found == ["b", "c"])
        disk.store(entry(body, nil), for: APICacheKey(user: nil, text: "other"))
        await disk.sweep()
        #expect(disk.entry(for: key) == nil)
        #expect(disk.entry(for: APICacheKey(user: nil, text: "other")) != nil)
        #expect(try folder.files.reduce(0) { try $0 + Data(contentsOf: $1).count } <= 3_000)
    }

    @Test(
        "Variants stored in a burst are found before and after the flush to disk, even by another cache instance"
    )
    func burst() async {
        let disk = disk()
        disk.store(entry("0", "a"), for: key)
        await disk.flush()
        disk.store(entry("1", "b"), for: key)
        disk.store(entry("2", "c"), for: key)
        for _ in 1...2 {
            #expect(text(disk.entry(for: key, answering: request("a"))) == "0")
            #expect(text(disk.entry(for: key, answering: request("b"))) == "1")
            #expect(text(disk.entry(for: key, answering: request("c"))) == "2")
            await disk.flush()
        }
        #expect(text(self.disk().entry(for: key, answering: request("a"))) == "0")
        disk.remove(key)
        disk.store(entry("3", "c"), for: key)
        for _ in 1...2 {
            #expect(disk.entry(for: key, answering: request("a")) == nil)
            #expect(text(disk.entry(for: key, answering: request("c"))) == "3")
            await disk.flush()
        }
        #expect(folder.files.count == 1)
    }

    @Test(
        "A truncated or corrupted file of variants yields only intact responses")
    func torn() throws {
        let variants = ["a", "b", "c"].map { (language: String) in entry("body of \(language)", language) }
        let whole = try variants.reduce(Data()) { try $0 + CacheFile.data($1, for: key) }
        #expect(Array(CacheFile.entries(whole, for: key)) == variants)
        for index in whole.indices {
            #expect(Array(CacheFile.entries(whole.prefix(index), for: key)).allSatisfy(variants.contains))
            var torn = whole
            torn[index] ^= 0x40
            let left = Array(CacheFile.entries(torn, for: key))
            #expect(left.count < 3 && left.allSatisfy(variants.contains))
        }
        #expect(Array(CacheFile.entries(whole + Data([0]), for: key)) == [])
    }

    @Test("The memory and disk caches find the same variants as a list sorted by age")
    func model() async {
        var random = SeededRandom(7)
        let (memory, disk) = (MemoryCache(limit: 1 << 20), disk())
        var model: [(name: String, language: String?, body: String)] = []
        for round in 0..<600 {
            let language = ["a", "b", "c", nil].randomElement(using: &random) ?? nil
            let name = Int.random(in: 0..<8, using: &random) == 0 ? "x-other" : "x-lang"
            switch Int.random(in: 0..<12, using: &random) {
            case 0:
                memory.remove(key)
                disk.remove(key)
                model = []
            case 1: await disk.flush()
            case 2...5:
                let stored = entry("\(round)", language, vary: name)
                memory.store(stored, for: key)
                disk.store(stored, for: key)
                model.removeAll {
                    $0.language == language || language == nil || $0.language == nil || $0.name != name
                }
                model.insert((name, language, "\(round)"), at: 0)
            default:
                let asked = ["a", "b", "c"].randomElement(using: &random) ?? "a"
                // The requests have no `X-Other` field, so variants that depend on it never match.
                let expected = model.first {
                    $0.language == nil || ($0.name == "x-lang" && $0.language == asked)
                }
                #expect(text(memory.entry(for: key, answering: request(asked))) == expected?.body)
                #expect(text(disk.entry(for: key, answering: request(asked))) == expected?.body)
            }
        }
    }
}
