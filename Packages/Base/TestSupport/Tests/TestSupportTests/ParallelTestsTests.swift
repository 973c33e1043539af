import Foundation
import TestSupport
import Testing

@Suite("The number of tests that run at once")
struct ParallelTestsTests {
    private static let running = Shared((now: 0, most: 0))

    @Test("Only a few tests per core run at once", arguments: 0..<100)
    func limit(number: Int) async throws {
        let name = "SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH"
        let limit = try #require(ProcessInfo.processInfo.environment[name].flatMap(Int.init))
        Self.running.update { $0.now += 1 }
        Self.running.update { $0.most = max($0.now, $0.most) }
        // Without a limit, all cases start before the first case has yielded so often.
        for _ in 1...100 { await Task.yield() }
        #expect(Self.running.value.most <= limit)
        Self.running.update { $0.now -= 1 }
    }
}
