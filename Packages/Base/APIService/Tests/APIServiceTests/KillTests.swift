import APIServiceTesting
import Foundation
import Testing

@testable import APIService

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
extension ProcessTests {
    @Suite("Killed while it writes")
    struct KillTests {
        static let limit = 60_000

        /// Every byte of an entry's body is its key's number, so a wrong answer shows.
        static func body(_ number: Int, _ round: Int) -> Data {
            Data(repeating: UInt8(number), count: 1_000 + (round * 37 + number) % 5_000)
        }

        static func key(_ number: Int) -> APICacheKey {
            APICacheKey(user: "u\(number % 3)", text: "\(number)")
        }

        @Test("a hundred kills during writes: never a wrong answer, and the bound holds again after a sweep")
        func killed() async throws {
            let folder = try Folder()
            var survivors = 0
            for round in 0..<100 {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = folder.url.path as String, round = round as Int] in
                    let cache = DiskCache(folder: URL(fileURLWithPath: path), limit: KillTests.limit)
                    // The killer strikes after some writes, in the middle of whatever is being done then.
                    Thread.detachNewThread {
                        var turns = round * 131 % 997
                        while turns > 0 {
                            turns -= 1
                            sched_yield()
                        }
                        kill(getpid(), SIGKILL)
                    }
                    for count in 0... {
                        cache.store(entry(KillTests.body(count % 20, round)), for: KillTests.key(count % 20))
                        if count % 8 == 0 { await cache.flush() }
                    }
                }
                let survivor = DiskCache(folder: folder.url, limit: Self.limit)
                for number in 0..<20 {
                    guard let found = survivor.entry(for: Self.key(number)) else { continue }
                    survivors += 1
                    #expect(found.body.count >= 1_000)
                    #expect(found.body.allSatisfy { $0 == UInt8(number) })
                }
            }
            #expect(survivors > 0)
            // Long after, nobody is writing any more.
            let later = DiskCache(folder: folder.url, limit: Self.limit, now: { Date() + 3_600 })
            await later.sweep()
            let size = try folder.files.reduce(0) { try $0 + Data(contentsOf: $1).count }
            #expect(size <= Self.limit)
            #expect(folder.files.allSatisfy { $0.pathExtension == "apicache" })
        }
    }
}
#endif
