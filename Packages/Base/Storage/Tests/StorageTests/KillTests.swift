import Foundation
import TestSupport
import Testing

@testable import Storage

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("A process that is killed while it writes", .serialized, .waitLimit)
struct KillTests {
    /// All parts of a count equal its number, so that the test detects a mixture of two values.
    struct Count: Codable, Sendable {
        var number = 0
        var parts: [Int] = []
    }

    @Test("After a kill, every completed update is on disk, plus at most one that had not returned yet")
    func killed() async throws {
        let folder = try TemporaryFolder()
        var before = 0
        for round in 0..<(TestLevel.isDeep ? 30 : 6) {
            try folder.write("", to: "returned")
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [path = folder.url.path as String, round = round as Int] in
                WaitLimit.startInExitTest()
                let url = URL(fileURLWithPath: path)
                let document = try Storage(folder: url).document("count", default: Count())
                let returned = try FileHandle(forWritingTo: url.appendingPathComponent("returned"))
                while true {
                    try document.update { count in
                        count.number += 1
                        count.parts = Array(repeating: count.number, count: 3_000)
                    }
                    // One byte per completed update.
                    try returned.write(contentsOf: Data([0]))
                    // Another thread kills the process at a random point.
                    if document.value.number.isMultiple(of: 3) {
                        Thread.detachNewThread {
                            for _ in 0..<round * 37 % 199 { sched_yield() }
                            kill(getpid(), SIGKILL)
                        }
                    }
                }
            }
            let returned = try Data(contentsOf: folder.file("returned")).count
            let count = try Storage(folder: folder.url).document("count", default: Count()).value
            #expect(returned >= 1)
            #expect([returned, returned + 1].contains(count.number - before))
            #expect(count.parts == Array(repeating: count.number, count: 3_000))
            #expect(Set(try folder.stored).isSubset(of: ["count.json", "count.json.writing", "returned"]))
            before = count.number
        }
    }
}
#endif
