import Foundation
import Testing

@testable import TestSupport

@Suite("The limit of a test's waits")
struct WaitLimitTests {
    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("A test that blocks its thread ends the process, and is named")
    func late() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
        ) {
            // If the limit does not work, the signal ends the process.
            alarm(30)
            let watch = WaitLimit.Watch(limit: 0.1)
            watch.remove(watch.add("ended"))
            _ = watch.add("late")
            while true { pause() }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("The test late has not ended after 0.1 seconds."))
        #expect(!text.contains("The test ended"))
    }

    @Test("Tests that have not reached the limit do not end the process")
    func early() async {
        await #expect(processExitsWith: .success) {
            let watch = WaitLimit.Watch(limit: 3600)
            _ = (watch.add("one"), watch.add("two"))
            #expect(watch.names.sorted() == ["one", "two"])
            // If the watch does not sleep, it counts an hour in this time.
            for _ in 0..<10_000 { sched_yield() }
        }
    }

    @Test("The process of an exit test has the limit, too")
    func exitTest() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
        ) {
            // If the limit does not work, the signal ends the process.
            alarm(30)
            unsafe setenv("TEST_WAIT_LIMIT", "0.1", 1)
            WaitLimit.startInExitTest()
            while true { pause() }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("The test process (TestSupportTests/WaitLimitTests.swift:"), "\(text)")
    }
    #endif

    @Test("The limit starts with the test", .waitLimit)
    func applied() {
        #expect(WaitLimit.names.contains { $0.hasPrefix("\"The limit starts with the test\"") })
    }

    @Test(
        "The usual limit is 15 minutes, so that the limits of single tests, which are ten at most, come first"
    )
    func usual() {
        #expect(WaitLimit.usual == 15 * 60)
    }

    @Suite("The limit of a suite", .waitLimit)
    struct OfSuite {
        @Test("Each test of a suite has the limit of the suite")
        func applied() {
            #expect(WaitLimit.names.contains { $0.hasPrefix("\"Each test of a suite has") })
        }
    }
}
