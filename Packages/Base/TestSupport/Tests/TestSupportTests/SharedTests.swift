import Dispatch
import TestSupport
import Testing

@Suite("Shared")
struct SharedTests {
    @Test("No update is lost when threads update a shared value at the same time")
    func updates() {
        let count = Shared(1)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<10_000 { count.update { $0 += 1 } }
        }
        #expect(count.value == 80_001)
        count.value = 3
        #expect(count.value == 3)
    }
}
