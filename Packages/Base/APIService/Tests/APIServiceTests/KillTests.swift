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
    @Suite("Processes killed while they write to the disk cache", .waitLimit)
    struct KillTests {
        static let limit = 60_000

        /// An entry whose body repeats its key's number, so that a wrong entry is detected.
        static func entry(_ number: Int, _ round: Int) -> APICacheEntry {
            APICacheEntry(
                head: .init(
                    url: url("http://h/"), statusCode: 200, fields: [:], stored: Date(), expires: nil,
                    vary: [:]),
                body: Data(repeating: UInt8(number), count: 1_000 + (round * 37 + number) % 1_500))
        }

        static func key(_ number: Int) -> APICacheKey {
            APICacheKey(user: "u\(number % 3)", text: "\(number)")
        }

        @Test("After a process is killed while writing, no entry is wrong, and a sweep enforces the limit")
        func killed() async throws {
            let folder = try TemporaryFolder()
            var survivors = 0
            for round in 0..<(TestLevel.isDeep ? 100 : 12) {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [path = folder.url.path as String, round = round as Int] in
                    WaitLimit.startInExitTest()
                    let cache = DiskCache(folder: URL(fileURLWithPath: path), limit: KillTests.limit)
                    // Kills the process after some stores, at an arbitrary point of the next operation.
                    let stored = Recorded(0)
                    Thread.detachNewThread {
                        while stored.value < round * 131 % 61 { sched_yield() }
                        kill(getpid(), SIGKILL)
                    }
                    for count in 0... {
                        let number = count % 20
                        cache.store(KillTests.entry(number, round), for: KillTests.key(number))
                        stored.update { $0 += 1 }
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
            // One hour later, half-written files are considered abandoned.
            let later = DiskCache(folder: folder.url, limit: Self.limit, now: { Date() + 3_600 })
            await later.sweep()
            let size = try folder.files.reduce(0) { try $0 + Data(contentsOf: $1).count }
            #expect(size <= Self.limit)
            #expect(folder.files.allSatisfy { $0.pathExtension == "apientry" })
        }

        @Test("A response that cannot be written completely leaves no file and no open descriptor")
        func fullDisk() async throws {
            let folder = try TemporaryFolder()
            await #expect(processExitsWith: .success) { [path = folder.url.path as String] in
                WaitLimit.startInExitTest()
                let cache = DiskCache(folder: URL(fileURLWithPath: path), limit: KillTests.limit)
                cache.store(KillTests.entry(0, 0), for: KillTests.key(0))
                await cache.flush()
                // A limit for the size of files stands for a full disk: the write that exceeds it is truncated.
                signal(SIGXFSZ, SIG_IGN)
                #if canImport(Glibc)
                let size = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
                #else
                let size = RLIMIT_FSIZE
                #endif
                var usual = rlimit()
                let isKnown = unsafe getrlimit(size, &usual) == 0
                var limit = rlimit(rlim_cur: 512, rlim_max: usual.rlim_max)
                let isSet = unsafe setrlimit(size, &limit) == 0
                func openDescriptors() -> Int { (0..<1_000).count { fcntl($0, F_GETFD) != -1 } }
                let before = openDescriptors()
                cache.store(KillTests.entry(1, 0), for: KillTests.key(0))
                await cache.flush()
                let isClosed = openDescriptors() == before
                // The process may write more files when it exits.
                _ = unsafe setrlimit(size, &usual)
                exit(isKnown && isSet && isClosed ? EXIT_SUCCESS : EXIT_FAILURE)
            }
            #expect(folder.files.isEmpty)
        }
    }
}
#endif
