import Locking
import Testing

/// The riders on board. All operations are thread-safe.
final class Riders: Sendable {
    private let names = Locked(Set<String>())

    var count: Int { names.withLock { $0.count } }

    func enter(_ name: String) -> Bool { names.withLock { $0.insert(name).inserted } }
}

@Suite("The README's riders")
struct RidersTests {
    @Test("Each rider enters only once, even if many riders enter concurrently")
    func once() async {
        let riders = Riders()
        let entered = await withTaskGroup { group in
            for number in 0..<100 { group.addTask { riders.enter("rider \(number % 10)") } }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(entered == 10)
        #expect(riders.count == 10)
    }
}
