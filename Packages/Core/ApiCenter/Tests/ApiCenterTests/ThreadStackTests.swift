import Dispatch
import Testing

@testable import ApiCenter

@Suite("How much of its stack a thread has used")
struct ThreadStackTests {
    @Test(
        "A half and three quarters are parts of the whole stack, or of its first 8 MB",
        arguments: [(size: 4, half: 2_000, threeQuarters: 3_000), (64, 4_000, 6_000)])
    func marks(size: Int, half: UInt, threeQuarters: UInt) {
        let found = Shared<[[Bool]]>([])
        let thread = DispatchGroup()
        Thread.run(in: thread, stackSize: size << 20) {
            for mark in [half, threeQuarters] {
                for used in [mark - 200, mark + 200] {
                    Self.use(used << 10) {
                        found.update { $0.append([ThreadStack.isHalfUsed, ThreadStack.isNearlyUsedUp]) }
                    }
                }
            }
        }
        thread.wait(for: "the thread with its own stack")
        #expect(found.value == [[false, false], [true, false], [true, false], [true, true]])
    }

    /// Runs `body` after at least the given number of bytes has been used.
    private static func use(_ bytes: UInt, from start: UInt? = nil, _ body: () -> Void) {
        // Few bytes are allocated on the stack.
        unsafe withUnsafeTemporaryAllocation(byteCount: 512, alignment: 16) { memory in
            let address = UInt(bitPattern: memory.baseAddress)
            let start = start ?? address
            if start - address >= bytes { body() } else { use(bytes, from: start, body) }
        }
    }
}
