import Dispatch
import Testing

@testable import ApiCenter

@Suite("How much of its stack a thread has used")
struct ThreadStackTests {
    @Test("Of a large stack, only the first 8 MB count")
    func largeStack() {
        let found = Shared<[[Bool]]>([])
        let thread = DispatchGroup()
        Thread.run(in: thread, stackSize: 64 << 20) {
            // In KB, around a half and three quarters. The start of the thread takes some KB, too.
            for used: UInt in [3_900, 4_300, 5_900, 6_300] {
                Self.use(used << 10) {
                    found.update { $0.append([ThreadStack.isHalfUsed, ThreadStack.isNearlyUsedUp]) }
                }
            }
        }
        thread.wait(for: "the thread with its own stack")
        #expect(found.value == [[false, false], [true, false], [true, false], [true, true]])
    }

    /// Runs `body` after at least the given number of bytes has been used.
    private static func use(_ bytes: UInt, from start: UInt? = nil, _ body: () -> Void) {
        // So few bytes are on the stack, not on the heap.
        unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory in
            let address = UInt(bitPattern: memory.baseAddress)
            let start = start ?? address
            if start - address >= bytes { body() } else { use(bytes, from: start, body) }
        }
    }
}
