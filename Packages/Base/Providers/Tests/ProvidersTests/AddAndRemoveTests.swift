import Providers
import TestSupport
import Testing

@Suite("Adding and removing providers")
struct AddAndRemoveTests {
    let providers = Providers<WorkerProtocol>()

    private var names: [String] { providers.all.map(\.implementation.name) }

    @Test("A set keeps its providers in the order they were added, whatever their priorities")
    func order() {
        providers.add(Worker(name: "A"))
        providers.add(Worker(name: "B"), tags: ["x"], priority: 9)
        providers.add(Worker(name: "C"), priority: -9)
        #expect(names == ["A", "B", "C"])
        #expect(providers.all.map(\.priority) == [0, 9, -9])
        #expect(providers.all.map(\.tags) == [[], ["x"], []])
    }

    @Test("Removing by handle removes exactly one provider, and only once")
    func remove() {
        let first = providers.add(Worker(name: "A"))
        let second = providers.add(Worker(name: "A"))
        providers.add(Worker(name: "B"), priority: 1)
        #expect(providers.remove(first))
        #expect(!providers.remove(first))
        #expect(names == ["A", "B"])
        #expect(providers.all.first?.handle === second)
        #expect(providers.pick()?.name == "B")
    }

    @Test("A handle from another set removes nothing")
    func foreignHandle() {
        let other = Providers<WorkerProtocol>()
        let handle = other.add(Worker(name: "A"))
        providers.add(Worker(name: "A"))
        #expect(!providers.remove(handle))
        #expect(names == ["A"])
        #expect(other.all.count == 1)
    }

    @Test("A handle describes the provider, and the file and line where it was added")
    func description() {
        let handle = providers.add(Worker(name: "A"), tags: ["b", "a"], priority: 3)
        let text =
            #/ProvidersTests\.Worker \[b, a\], priority 3, added at ProvidersTests/AddAndRemoveTests\.swift:\d+/#
        #expect(handle.description.wholeMatch(of: text) != nil)
        #expect(providers.add(Worker(name: "B")).description.hasPrefix("ProvidersTests.Worker, priority 0, "))
    }

    @Test("A removed provider is released outside the lock, so its deinit may use the set")
    func release() {
        struct Holder: WorkerProtocol {
            let token: Token
            var name: String { "holder" }
            func work() -> String { name }
            func workLong() async -> String { name }
        }
        let counts = Shared<[Int]>([])
        func holder() -> Holder {
            Holder(token: Token { [providers] in counts.update { $0.append(providers.all.count) } })
        }
        let handles = [providers.add(holder()), providers.add(holder())]
        #expect(counts.value == [])
        providers.remove(handles[0])
        #expect(counts.value == [1])
        providers.remove(handles[1])
        #expect(counts.value == [1, 0])
    }

    @Test("The interface may be any Sendable type, such as a function or a class")
    func anyInterface() {
        let functions = Providers<@Sendable (Int) -> Int>()
        functions.add { $0 + 1 }
        functions.add { $0 * 10 }
        #expect(functions.callAll { $0(2) } == [3, 20])
        let objects = Providers<Token>()
        objects.add(Token {})
        #expect(objects.pick() != nil)
    }
}
