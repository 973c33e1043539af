import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APICache
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

func entry(_ body: Data, stored: Date = Date()) -> APICacheEntry {
    let head = APICacheEntry.Head(
        url: url("http://h/"), statusCode: 200, fields: ["etag": "x"], stored: stored, expires: nil, vary: [:]
    )
    return APICacheEntry(head: head, body: body)
}

@Suite("The disk cache", .waitLimit)
struct DiskCacheTests {
    private let folder: TemporaryFolder
    private let key = APICacheKey(user: nil, text: "key")

    init() throws { folder = try TemporaryFolder() }

    private func cache(limit: Int = 1 << 20) -> DiskCache { DiskCache(folder: folder.url, limit: limit) }

    @Test("A stored entry is found immediately, and after a flush by another cache instance too")
    func store() async {
        let cache = cache()
        let entry = entry(Data("body".utf8))
        cache.store(entry, for: key)
        #expect(cache.entry(for: key)?.body == entry.body)
        await cache.flush()
        #expect(cache.entry(for: key)?.head.fields == entry.head.fields)
        #expect(self.cache().entry(for: key)?.body == entry.body)
        cache.remove(key)
        #expect(cache.entry(for: key) == nil)
        await cache.flush()
        #expect(self.cache().entry(for: key) == nil)
        #expect(folder.files.isEmpty)
    }

    @Test("The cache creates its folder, and the folders around it")
    func nested() async {
        let place = folder.url.appendingPathComponent("caches/app")
        let cache = DiskCache(folder: place, limit: 1 << 20)
        cache.store(entry(Data("body".utf8)), for: key)
        await cache.flush()
        #expect(DiskCache(folder: place, limit: 1 << 20).entry(for: key)?.body == Data("body".utf8))
    }

    @Test(
        "Removing the responses for a URL does not wait for the disk, and no lookup finds them afterwards",
        .timeLimit(.minutes(10)), .waitLimit)
    func removesAtLocation() async {
        let cache = cache()
        func key(_ path: String) -> APICacheKey {
            APICacheKey(URLRequest(url: url("http://h/\(path)")), users: [], cache: APICache())
        }
        let (old, new) = (entry(Data("old".utf8)), entry(Data("new".utf8)))
        for path in ["a", "b"] { cache.store(old, for: key(path)) }
        await cache.flush()
        let release = DispatchSemaphore(value: 0)
        cache.onQueue { release.wait() }
        // The queue is blocked: a removal that waited for it would never return.
        cache.removeAll(at: key("a").location)
        #expect(cache.entry(for: key("a")) == nil && cache.entry(for: key("b"))?.body == old.body)
        cache.store(new, for: key("a"))
        #expect(cache.entry(for: key("a"))?.body == new.body)
        cache.removeAll(at: key("b").location)
        release.signal()
        await cache.flush()
        #expect(cache.entry(for: key("a"))?.body == new.body && cache.entry(for: key("b")) == nil)
        #expect(folder.files.count == 1)
        #expect(self.cache().entry(for: key("a"))?.body == new.body)
    }

    @Test("A response that is stored after a removal stays, even if an older one still waits to be written")
    func storesAfterRemoval() async {
        let cache = cache()
        let key = APICacheKey(URLRequest(url: url("http://h/a")), users: [], cache: APICache())
        let release = DispatchSemaphore(value: 0)
        cache.onQueue { release.wait() }
        cache.store(entry(Data("old".utf8)), for: key)
        cache.removeAll(at: key.location)
        cache.store(entry(Data("new".utf8)), for: key)
        release.signal()
        await cache.flush()
        #expect(self.cache().entry(for: key)?.body == Data("new".utf8))
    }

    @Test("A cache file truncated at any length is a miss")
    func truncated() throws {
        let data = try CacheFile.data(entry(Data("body".utf8)), for: key)
        for count in 0..<data.count { #expect(CacheFile.entry(data.prefix(count), for: key) == nil) }
        #expect(CacheFile.entry(data + Data([0]), for: key) == nil)
        #expect(CacheFile.entry(data, for: key) != nil)
    }

    @Test("A cache file with any changed byte is a miss")
    func torn() throws {
        let data = try CacheFile.data(entry(Data("body".utf8)), for: key)
        for index in data.indices {
            var torn = data
            torn[index] ^= 0x40
            #expect(CacheFile.entry(torn, for: key) == nil)
        }
    }

    @Test("A foreign file, an empty file or a folder in place of a cache file is a miss")
    func foreign() async throws {
        let cache = cache()
        cache.store(entry(Data("body".utf8)), for: key)
        await cache.flush()
        let file = try #require(folder.files.first)
        for content in [Data(), Data("hello".utf8), Data(repeating: 0xff, count: 4_096)] {
            try content.write(to: file)
            #expect(cache.entry(for: key) == nil)
        }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
        #expect(cache.entry(for: key) == nil)
        // The temporary file cannot be renamed over a folder, but must still be removed.
        cache.store(entry(Data("new".utf8)), for: key)
        await cache.flush()
        #expect(folder.files.filter { $0.pathExtension == "writing" }.isEmpty)
    }

    @Test("A cache file that belongs to another key is a miss")
    func collision() throws {
        let data = try CacheFile.data(entry(Data("body".utf8)), for: APICacheKey(user: "ann", text: "key"))
        #expect(CacheFile.entry(data, for: key) == nil)
        #expect(CacheFile.entry(data, for: APICacheKey(user: "ann", text: "other")) == nil)
    }

    @Test("An unwritable cache folder causes misses, not errors")
    func brokenFolder() async throws {
        let blocked = folder.url.appendingPathComponent("file")
        try Data().write(to: blocked)
        let cache = DiskCache(folder: blocked, limit: 1_000)
        cache.store(entry(Data("body".utf8)), for: key)
        await cache.flush()
        #expect(cache.entry(for: key) == nil)
        await cache.sweep()
    }

    @Test(
        "The cache removes its oldest files when its size exceeds the limit, also those of an earlier process"
    )
    func bound() async throws {
        let cache = cache(limit: 20_000)
        for number in 0..<30 {
            cache.store(
                entry(Data(repeating: 1, count: 2_000)), for: APICacheKey(user: nil, text: "\(number)"))
        }
        await cache.flush()
        #expect(try size() <= 20_000 && size() > 10_000)
        #expect(cache.entry(for: APICacheKey(user: nil, text: "0")) == nil)
        #expect(cache.entry(for: APICacheKey(user: nil, text: "29")) != nil)
        // A system may give files that are written in short succession the same date.
        for file in folder.files {
            try FileManager.default.setAttributes(
                [.modificationDate: Date() - 60], ofItemAtPath: file.path)
        }
        let next = self.cache(limit: 5_000)
        next.store(entry(Data(repeating: 1, count: 2_000)), for: key)
        await next.flush()
        #expect(try size() <= 5_000 && next.entry(for: key) != nil)
    }

    @Test("After many writes, the cache counts the files that another process has written since")
    func othersSize() async throws {
        let (cache, other) = (cache(limit: 1_000_000), cache(limit: 2_000_000))
        cache.store(entry(Data("first".utf8)), for: key)
        await cache.flush()
        other.store(entry(Data(count: 1_000_000)), for: APICacheKey(user: nil, text: "other"))
        await other.flush()
        for number in 0..<255 {
            cache.store(entry(Data()), for: APICacheKey(user: nil, text: "\(number)"))
        }
        await cache.flush()
        #expect(try size() > 1_000_000)
        cache.store(entry(Data()), for: key)
        await cache.flush()
        #expect(try size() < 1_000_000)
    }

    private func size() throws -> Int { try folder.files.reduce(0) { try $0 + Data(contentsOf: $1).count } }

    @Test("A sweep of a cache that exceeds its limit leaves a tenth of the limit free")
    func free() async throws {
        let cache = cache()
        for number in 0..<10 {
            cache.store(
                entry(Data(repeating: 1, count: 2_000)), for: APICacheKey(user: nil, text: "\(number)"))
        }
        await cache.flush()
        let all = try size()
        await self.cache(limit: all).sweep()
        #expect(try size() == all)
        await self.cache(limit: all - 1).sweep()
        // Each of the ten files is about a tenth of the limit.
        let left = try size()
        #expect(left < all * 17 / 20 && left > all * 15 / 20)
    }

    @Test("An entry larger than the limit is not stored, and the old entry is removed")
    func tooLarge() async {
        let cache = cache(limit: 2_000)
        cache.store(entry(Data("old".utf8)), for: key)
        cache.store(entry(Data(repeating: 1, count: 3_000)), for: key)
        await cache.flush()
        #expect(cache.entry(for: key) == nil)
    }

    @Test("A sweep deletes a half-written file of another process only if the file is old")
    func leftOver() async throws {
        let left = folder.url.appendingPathComponent("x.writing")
        try Data(repeating: 1, count: 100).write(to: left)
        let date = Date(timeIntervalSince1970: 1_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: left.path)
        // Not even a cache that exceeds its limit deletes a file that is being written.
        for limit in [1_000, 10] {
            await DiskCache(folder: folder.url, limit: limit, now: { date + 600 }).sweep()
            #expect(folder.files.count == 1)
        }
        await DiskCache(folder: folder.url, limit: 1_000, now: { date + 601 }).sweep()
        #expect(folder.files.isEmpty)
    }

    @Test("A sweep neither deletes nor counts files that do not belong to the cache")
    func othersFiles() async throws {
        try folder.write("a note", to: "note.txt")
        let cache = cache(limit: 1_000)
        cache.store(entry(Data(repeating: 1, count: 500)), for: key)
        let later = DiskCache(folder: folder.url, limit: 0, now: { Date() + 700 })
        await cache.sweep()
        #expect(cache.entry(for: key) != nil)
        await later.sweep()
        #expect(try folder.names == ["note.txt", "public"])
        #expect(folder.files.count == 1)
    }

    @Test("Two caches that share a folder never find a wrong entry while both write, remove and sweep")
    func shared() async {
        let caches = [cache(limit: 30_000), cache(limit: 30_000)]
        let wrong = Recorded(0)
        await withTaskGroup { group in
            for (index, cache) in caches.enumerated() {
                for part in 0..<2 {
                    group.addTask {
                        for round in 0..<150 {
                            let number = (round * 7 + index + part) % 20
                            let key = APICacheKey(user: nil, text: "\(number)")
                            switch round % 4 {
                            case 0, 1:
                                let body = Data(repeating: UInt8(number), count: 500 + round * 10)
                                cache.store(entry(body), for: key)
                            case 2: if round % 12 == 2 { cache.remove(key) }
                            default: if round % 20 == 3 { await cache.sweep() }
                            }
                            if let found = cache.entry(for: key),
                                !found.body.allSatisfy({ $0 == UInt8(number) })
                            {
                                wrong.update { $0 += 1 }
                            }
                        }
                    }
                }
            }
        }
        for cache in caches { await cache.flush() }
        #expect(wrong.value == 0)
        #expect(folder.files.allSatisfy { $0.pathExtension == "apientry" })
    }
}
