import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APICache
@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ProcessTests {
    @Suite("A cache folder that two processes share", .waitLimit)
    struct SharedFolderTests {
        /// The work of one process, which repeatedly writes, reads and removes entries under 40 keys, and sweeps the
        /// cache.
        private struct Worker: Codable, Sendable {
            static let limit = 60_000
            static let keys = 40
            static let rounds = 1_000

            let folder: String
            /// The process that finishes first creates this file, and the other then stops.
            let end: String
            let isFirst: Bool
            let seed: UInt64

            func cache(now: @escaping @Sendable () -> Date = { Date() }) -> DiskCache {
                DiskCache(folder: URL(fileURLWithPath: folder), limit: Self.limit, now: now)
            }

            static func key(_ number: Int) -> APICacheKey {
                APICacheKey(user: "u\(number % 3)", text: "\(number)")
            }

            /// An entry that ``isRight(_:_:)`` can check: every byte of the body is the key's number, and
            /// the head holds the body's length. The check detects a wrong entry, and an entry that mixes the
            /// writes of two processes.
            static func entry(_ number: Int, _ count: Int) -> APICacheEntry {
                APICacheEntry(
                    head: .init(
                        url: url("http://h/"), statusCode: 200,
                        fields: ["x-count": "\(count)"], stored: Date(), expires: nil, vary: [:]),
                    body: Data(repeating: UInt8(number), count: count))
            }

            static func isRight(_ entry: APICacheEntry, _ number: Int) -> Bool {
                entry.head.fields["x-count"] == "\(entry.body.count)"
                    && entry.body.allSatisfy { $0 == UInt8(number) }
            }

            /// Works until the first process has done its rounds and has found an entry that the second one wrote.
            ///
            /// - Throws: ``Failure`` if an entry is wrong, or if the first process found no entry of the second.
            func run() async throws {
                let cache = cache()
                var random = SeededRandom(seed)
                var (own, found, others) = ([Int: Int](), 0, 0)
                var round = 0
                while !FileManager.default.fileExists(atPath: end),
                    !isFirst || round < Self.rounds || others == 0
                {
                    defer { round += 1 }
                    let number = Int.random(in: 0..<Self.keys, using: &random)
                    switch Int.random(in: 0..<20, using: &random) {
                    case 0..<10:
                        // The first process writes bodies of odd length, the second bodies of even length.
                        let count = Int.random(in: 500..<3_000, using: &random) * 2 + (isFirst ? 1 : 0)
                        own[number] = count
                        cache.store(Self.entry(number, count), for: Self.key(number))
                    case 10: cache.remove(Self.key(number))
                    case 11: await cache.sweep()
                    default: break
                    }
                    if round % 4 == 0 { await cache.flush() }
                    guard let entry = cache.entry(for: Self.key(number)) else { continue }
                    guard Self.isRight(entry, number) else {
                        throw Failure("a wrong entry in round \(round)")
                    }
                    found += 1
                    if entry.body.count % 2 == (isFirst ? 0 : 1) { others += 1 }
                }
                await cache.flush()
                guard !isFirst || others > 0 else {
                    throw Failure("\(found) entries found, but no entry of the other process")
                }
            }
        }

        @Test(
            "Two processes that write, read, remove and sweep find no wrong entry, and a sweep enforces the size limit"
        )
        func two() async throws {
            let folder = try TemporaryFolder()
            let seed = UInt64.random(in: 0 ... .max)
            let end = folder.url.appendingPathComponent("end").path
            let shared = folder.url.appendingPathComponent("cache")
            let workers = [true, false].map {
                Worker(folder: shared.path, end: end, isFirst: $0, seed: seed &+ ($0 ? 1 : 2))
            }
            // This process runs the first worker, a child process the second.
            async let first: Void = {
                defer { _ = FileManager.default.createFile(atPath: end, contents: nil) }
                try await workers[0].run()
            }()
            await #expect(processExitsWith: .success, "seed \(seed)") { [worker = workers[1] as Worker] in
                WaitLimit.startInExitTest()
                try await worker.run()
            }
            _ = FileManager.default.createFile(atPath: end, contents: nil)
            try await first
            // One hour later, half-written files are considered abandoned.
            let later = workers[0].cache(now: { Date() + 3_600 })
            await later.sweep()
            let found = (0..<Worker.keys).compactMap { number in
                later.entry(for: Worker.key(number)).map { Worker.isRight($0, number) }
            }
            #expect(!found.isEmpty && found.allSatisfy { $0 }, "seed \(seed)")
            let files = folder.files.filter { $0.path.hasPrefix(shared.path) }
            #expect(
                try files.reduce(0) { try $0 + Data(contentsOf: $1).count } <= Worker.limit, "seed \(seed)")
            #expect(files.allSatisfy { $0.pathExtension == "apientry" })
        }
    }
}
#endif
