import Synchronization
import Testing

@testable import ModuleRules

@Suite("Values that are computed on first use")
struct LazyTests {
    private struct Failure: Error {}

    private final class Source: Sendable {
        let uses = Atomic(0)

        func use() -> Int { uses.add(1, ordering: .relaxed).newValue }
    }

    @Test("A value or an error is computed once, at its first use", arguments: [false, true])
    func once(fails: Bool) {
        let source = Source()
        let lazy = Lazy {
            let count = source.use()
            if fails { throw Failure() }
            return count
        }
        #expect(source.uses.load(ordering: .relaxed) == 0)
        for _ in 1...2 {
            #expect((try? lazy.value) == (fails ? nil : 1))
        }
        #expect(source.uses.load(ordering: .relaxed) == 1)
    }

    @Test("What a computation holds is released after it")
    func releases() throws {
        weak var source: Source?
        let lazy: Lazy<Int>
        do {
            let held = Source()
            source = held
            lazy = Lazy { held.use() }
        }
        #expect(source != nil)
        #expect(try lazy.value == 1)
        #expect(source == nil)
    }
}
