import Locking
import Testing

@Suite("A value that is set once")
struct SetOnceTests {
    @Test("The value is nil until it is set, and all threads see it afterwards")
    func set() async {
        let once = SetOnce<Int>()
        #expect(once.value == nil)
        once.set(7)
        await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 { group.addTask { once.value } }
            for await value in group { #expect(value == 7) }
        }
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("Setting the value again stops the process")
    func twice() async {
        await #expect(processExitsWith: .failure) {
            let once = SetOnce<Int>()
            once.set(1)
            once.set(2)
        }
    }
    #endif
}
