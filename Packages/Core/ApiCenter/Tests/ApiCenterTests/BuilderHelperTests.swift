import ApiCenter
import Dispatch
import Testing

@Suite("Build once")
struct OnceTests {
    let center = ApiCenter()

    @Test("builds at the first call, and keeps the object as long as the registration")
    func keeps() {
        let built = Shared(0), freed = Shared(0)
        center.registerApi(
            type: Token.self,
            impBuilder: once {
                built.update { $0 += 1 }
                return Token { freed.update { $0 += 1 } }
            })
        #expect(built.value == 0)
        let first = center.api(type: Token.self).map { ObjectIdentifier($0) }
        #expect(center.api(type: Token.self).map { ObjectIdentifier($0) } == first)
        #expect(built.value == 1)
        center.removeApi(api: Token.self)
        #expect(freed.value == 1)
    }

    @Test("is handed the center it is asked from")
    func handedTheCenter() {
        center.registerApi(type: Int.self) { 4 }
        center.registerApi(
            type: Numbering.self,
            impBuilder: once { center in Number(number: center.api(type: Int.self) ?? 0) })
        #expect(center.api(type: Numbering.self)?.number == 4)
    }

    @Test("builds exactly once, whoever races")
    func race() {
        for _ in 0..<50 {
            let center = ApiCenter()
            let built = Shared(0)
            let seen = Shared<Set<ObjectIdentifier>>([])
            center.registerApi(
                type: Token.self,
                impBuilder: once {
                    built.update { $0 += 1 }
                    for _ in 0..<20 { Thread.yield() }
                    return Token {}
                })
            Thread.race(8) { _ in
                if let token = center.api(type: Token.self) {
                    seen.update { $0.insert(ObjectIdentifier(token)) }
                }
            }
            #expect(built.value == 1)
            #expect(seen.value.count == 1)
        }
    }

    @Test("does not keep its center alive when the IMP holds it unowned")
    func noCycle() {
        final class Imp: Sendable {
            unowned let center: ApiCenter
            init(center: ApiCenter) { self.center = center }
        }
        weak var alive: ApiCenter?
        do {
            let center = ApiCenter()
            alive = center
            center.registerApi(type: Imp.self, impBuilder: once { Imp(center: $0) })
            #expect(center.api(type: Imp.self)?.center === center)
        }
        #expect(alive == nil)
    }

    @Test("a task that a builder starts may ask for the very same Api")
    func taskInBuilder() async {
        let (answers, continuation) = AsyncStream<Int>.makeStream()
        center.registerApi(
            type: Numbering.self,
            impBuilder: once { [center] in
                Task { continuation.yield(center.api(type: Numbering.self)?.number ?? -1) }
                return Number(number: 9)
            })
        #expect(center.api(type: Numbering.self)?.number == 9)
        #expect(await answers.first { _ in true } == 9)
        center.removeAll()
    }
}

@Suite("A weak singleton")
struct WeakSingletonTests {
    let center = ApiCenter()

    @Test("lives as long as its holders, and is built anew after the last one let go")
    func lifetime() {
        let built = Shared(0), freed = Shared(0)
        center.registerApi(
            type: Token.self,
            impBuilder: weakSingleton {
                built.update { $0 += 1 }
                return Token { freed.update { $0 += 1 } }
            })
        do {
            let first = center.api(type: Token.self)
            let second = center.api(type: Token.self)
            #expect(first === second)
            withExtendedLifetime((first, second)) {}
        }
        #expect(freed.value == 1)
        _ = center.api(type: Token.self)
        #expect(built.value == 2)
    }

    @Test("works behind a protocol")
    func behindAProtocol() {
        center.registerApi(type: Counting.self, impBuilder: weakSingleton { Counter() })
        let holder = center.api(type: Counting.self)
        center.api(type: Counting.self)?.increment()
        #expect(holder?.count == 1)
    }

    @Test("is one object, whoever races")
    func race() {
        let built = Shared(0)
        center.registerApi(
            type: Counting.self,
            impBuilder: weakSingleton {
                built.update { $0 += 1 }
                return Counter()
            })
        let holders = Shared<[any Counting]>([])
        Thread.race(8) { _ in
            if let counter = center.api(type: Counting.self) { holders.update { $0.append(counter) } }
        }
        for holder in holders.value { holder.increment() }
        #expect(built.value == 1)
        #expect(holders.value.first?.count == 8)
    }

    @Test("cannot be a struct, and says so")
    func structIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: Numbering.self, impBuilder: weakSingleton { Number(number: 1) })
            _ = center.api(type: Numbering.self)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("weakSingleton built a Number for ApiCenterTests.Numbering"))
    }
}

@Suite("Builders that need each other in a circle")
struct CircleTests {
    protocol First: Sendable {}
    protocol Second: Sendable {}
    protocol Third: Sendable {}
    struct Imp: First, Second, Third {}

    static func needs<T, Other>(_ other: Other.Type, _ imp: T) -> @Sendable (ApiCenter) -> T
    where T: Sendable {
        { center in
            _ = center.api(type: Other.self)
            return imp
        }
    }

    static func meets<T, Other>(
        _ inside: Shared<Int>, _ other: Other.Type, _ imp: T
    ) -> @Sendable (ApiCenter) -> T where T: Sendable {
        { center in
            inside.update { $0 += 1 }
            // Both are inside their builder before either asks for the other.
            while inside.value < 2 { Thread.yield() }
            _ = center.api(type: Other.self)
            return imp
        }
    }

    private func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("plain ones stop with the chain, not in a stack overflow")
    func plain() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: Self.needs(Second.self, Imp()))
            center.registerApi(type: Second.self, impBuilder: Self.needs(Third.self, Imp()))
            center.registerApi(type: Third.self, impBuilder: Self.needs(First.self, Imp()))
            _ = center.api(type: First.self)
        }
        // Where in the circle it is noticed depends on the depth; all three are in it, and it closes.
        let names = ["First", "Second", "Third", "First", "Second", "Third"].map {
            "ApiCenterTests.CircleTests.\($0)"
        }
        let chains = (0..<3).map {
            "in a circle: \(names[$0..<$0 + 3].joined(separator: " -> ")) -> \(names[$0])."
        }
        #expect(chains.contains { message(result).contains($0) })
    }

    @Test("are told from many builders at work and one that asks itself and ends")
    func noCircle() {
        let center = ApiCenter()
        let inside = Shared(0), goOn = Shared(false), depth = Shared(0)
        center.registerApi(type: Numbering.self) {
            inside.update { $0 += 1 }
            while !goOn.value { Thread.yield() }
            return Number(number: 1)
        }
        center.registerApi(type: Int.self) { center in
            depth.update { $0 += 1 }
            return depth.value == 2 ? 1 : (center.api(type: Int.self) ?? 0) + 1
        }
        Thread.race(71) { thread in
            if thread < 70 {
                _ = center.api(type: Numbering.self)
            } else {
                // Every reader slot is taken by now.
                while inside.value < 70 { Thread.yield() }
                #expect(center.api(type: Int.self) == 2)
                goOn.update { $0 = true }
            }
        }
    }

    @Test("one that needs itself is named too")
    func itself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: once(Self.needs(First.self, Imp())))
            _ = center.api(type: First.self)
        }
        let name = "ApiCenterTests.CircleTests.First"
        #expect(message(result).contains("in a circle: \(name) -> \(name)."))
        #expect(message(result).contains(/ApiCenterTests\/BuilderHelperTests\.swift:\d+: Fatal error/))
    }

    @Test("build-once ones, with a plain one between, stop with the chain, not in a deadlock")
    func buildOnce() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: once(Self.needs(Second.self, Imp())))
            center.registerApi(type: Second.self, impBuilder: Self.needs(Third.self, Imp()))
            center.registerApi(type: Third.self, impBuilder: once(Self.needs(First.self, Imp())))
            _ = center.api(type: First.self)
        }
        let names = ["First", "Second", "Third", "First"].map { "ApiCenterTests.CircleTests.\($0)" }
        #expect(message(result).contains("in a circle: \(names.joined(separator: " -> "))."))
    }

    @Test("build-once ones that two threads enter at once stop with the chain, not in a deadlock")
    func twoThreads() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            let inside = Shared(0)
            center.registerApi(type: First.self, impBuilder: once(Self.meets(inside, Second.self, Imp())))
            center.registerApi(type: Second.self, impBuilder: once(Self.meets(inside, First.self, Imp())))
            Thread.race(2) { thread in
                if thread == 0 { _ = center.api(type: First.self) } else { _ = center.api(type: Second.self) }
            }
        }
        let first = "ApiCenterTests.CircleTests.First", second = "ApiCenterTests.CircleTests.Second"
        let chains = ["\(first) -> \(second) -> \(first).", "\(second) -> \(first) -> \(second)."]
        #expect(chains.contains { message(result).contains("in a circle: \($0)") })
    }
}
