import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ProcessTests {
    @Suite("A folder that processes share")
    struct SharedFolderTests {
        /// What each process does, many times: writes, reads, removes and sweeps, all under the same few keys, of which
        /// every other one has variants.
        private struct Worker: Codable, Sendable {
            static let limit = 60_000
            static let keys = 40
            static let rounds = 1_000

            let folder: String
            /// Opened by the one for writing, by the other for reading: neither starts before both are there.
            let gate: String
            let isFirst: Bool
            let seed: UInt64

            func cache(now: @escaping @Sendable () -> Date = { Date() }) -> DiskCache {
                DiskCache(folder: URL(fileURLWithPath: folder), limit: Self.limit, now: now)
            }

            static func key(_ number: Int) -> APICacheKey {
                APICacheKey(user: "u\(number % 3)", text: "\(number)")
            }

            /// Every byte of a body is its key's number, and the length is in the head: a wrong answer, or one of
            /// two processes' pieces, shows.
            static func entry(_ number: Int, _ part: Int, _ count: Int) -> APICacheEntry {
                APICacheEntry(
                    head: .init(
                        url: url("http://h/"), statusCode: 200,
                        fields: ["x-count": "\(count)", "x-part": "\(part)"], stored: Date(), expires: nil,
                        vary: number % 2 == 0 ? ["x-part": "\(part)"] : [:]),
                    body: Data(repeating: UInt8(number), count: count))
            }

            static func request(_ part: Int) -> URLRequest {
                var request = URLRequest(url: url("http://h/"))
                request.setValue("\(part)", forHTTPHeaderField: "X-Part")
                return request
            }

            static func isRight(_ entry: APICacheEntry, _ number: Int, _ part: Int) -> Bool {
                entry.head.fields["x-count"] == "\(entry.body.count)"
                    && entry.body.allSatisfy { $0 == UInt8(number) }
                    && (number % 2 == 1 || entry.head.fields["x-part"] == "\(part)")
            }

            /// - Throws: ``Failure`` at a wrong answer, or when the other process was never met.
            func run() async throws {
                let gate = URL(fileURLWithPath: gate)
                // In a thread of its own: it waits for the other process.
                let opened: Result<FileHandle, any Error> = await completion { done in
                    Thread.detachNewThread {
                        done(
                            Result {
                                isFirst
                                    ? try FileHandle(forWritingTo: gate)
                                    : try FileHandle(forReadingFrom: gate)
                            })
                    }
                }
                defer { try? opened.get().close() }
                _ = try opened.get()
                let cache = cache()
                var random = SeededRandom(seed)
                var (own, found, others) = ([Int: Int](), 0, 0)
                var round = 0
                // However unevenly the two get the processor, each goes on until it has met the other.
                while round < Self.rounds || others == 0, round < Self.rounds * 100 {
                    defer { round += 1 }
                    let number = Int.random(in: 0..<Self.keys, using: &random)
                    let part = Int.random(in: 0..<3, using: &random)
                    switch Int.random(in: 0..<20, using: &random) {
                    case 0..<10:
                        // Odd lengths are the first one's, even ones the second's.
                        let count = Int.random(in: 500..<3_000, using: &random) * 2 + (isFirst ? 1 : 0)
                        own[number] = count
                        cache.store(Self.entry(number, part, count), for: Self.key(number))
                    case 10: cache.remove(Self.key(number))
                    case 11: await cache.sweep()
                    default: break
                    }
                    if round % 4 == 0 { await cache.flush() }
                    guard let entry = cache.entry(for: Self.key(number), answering: Self.request(part)) else {
                        continue
                    }
                    guard Self.isRight(entry, number, part) else {
                        throw Failure("a wrong answer in round \(round)")
                    }
                    found += 1
                    if entry.body.count % 2 == (isFirst ? 0 : 1) { others += 1 }
                }
                await cache.flush()
                guard found > 0, others > 0 else {
                    throw Failure("\(found) answers found, \(others) of the other process: the two never met")
                }
            }
        }

        @Test(
            "two processes write, read, remove and sweep: never a wrong answer, and the bound holds after a sweep"
        )
        func two() async throws {
            let folder = try TemporaryFolder()
            let seed = UInt64.random(in: 0 ... .max)
            let gate = folder.url.appendingPathComponent("gate").path
            let made = unsafe mkfifo(gate, 0o600)
            #expect(made == 0)
            let shared = folder.url.appendingPathComponent("cache")
            let workers = [true, false].map {
                Worker(folder: shared.path, gate: gate, isFirst: $0, seed: seed &+ ($0 ? 1 : 2))
            }
            // This process is the first one.
            async let first: Void = workers[0].run()
            await #expect(processExitsWith: .success, "seed \(seed)") { [worker = workers[1] as Worker] in
                try await worker.run()
            }
            try await first
            // Long after, nobody is writing any more.
            let later = workers[0].cache(now: { Date() + 3_600 })
            await later.sweep()
            let found = (0..<Worker.keys * 3).compactMap { index in
                let (number, part) = (index / 3, index % 3)
                return later.entry(for: Worker.key(number), answering: Worker.request(part))
                    .map { Worker.isRight($0, number, part) }
            }
            #expect(!found.isEmpty && found.allSatisfy { $0 }, "seed \(seed)")
            let files = folder.files.filter { $0.path.hasPrefix(shared.path) }
            #expect(
                try files.reduce(0) { try $0 + Data(contentsOf: $1).count } <= Worker.limit, "seed \(seed)")
            #expect(files.allSatisfy { $0.pathExtension == "apicache" })
        }
    }
}
#endif
