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

    @Test(
        "A builder that asks for its own Api in the third quarter of a stack is not taken for an endless cycle"
    )
    func shallowRecursion() {
        let center = ApiCenter(), calls = Shared(0), found = Shared<Int?>(nil)
        center.register(Int.self) { center in
            calls.update { $0 += 1 }
            let inner = Shared(0)
            // In KB: more than a half of the first 8 MB, and less than three quarters.
            let bytes: UInt = (calls.value == 1 ? 4_400 : 10) << 10
            if calls.value < 9 { Self.use(bytes) { inner.update { $0 = center.api(type: Int.self) ?? 0 } } }
            return inner.value + 1
        }
        let thread = DispatchGroup()
        Thread.run(in: thread, stackSize: 64 << 20) { found.update { $0 = center.api(type: Int.self) } }
        thread.wait(for: "the thread with its own stack")
        #expect(found.value == 9)
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
