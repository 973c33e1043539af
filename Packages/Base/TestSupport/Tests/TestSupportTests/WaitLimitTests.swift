import Foundation
import Testing

@testable import TestSupport

@Suite("The limit of a test's waits")
struct WaitLimitTests {
    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("Tests that block their threads end the process, and are named")
    func late() async throws {
        let result = try await #require(
            processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
        ) {
            // If the limit does not work, the signal ends the process.
            alarm(30)
            let watch = WaitLimit.Watch(limit: 0.1)
            watch.remove(watch.add("ended"))
            _ = (watch.add("late"), watch.add("later"))
            while true { pause() }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("The test late has not ended after 0.1 seconds."))
        #expect(text.contains("The test later has not ended after 0.1 seconds."))
        #expect(!text.contains("The test ended"))
    }

    @Test("A test that has not reached the limit does not end the process")
    func early() async {
        await #expect(processExitsWith: .success) {
            _ = WaitLimit.Watch(limit: 3600).add("early")
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
}
