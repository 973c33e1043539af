import ApiCenter
import Dispatch
import Testing

@Suite("`once`")
struct OnceTests {
    let center = ApiCenter()

    @Test("`once` builds at the first call and keeps the object until the registration is removed")
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

    @Test("A `once` builder receives the center that calls it")
    func handedTheCenter() {
        center.registerApi(type: Int.self) { 4 }
        center.registerApi(
            type: Numbering.self,
            impBuilder: once { center in Number(number: center.api(type: Int.self) ?? 0) })
        #expect(center.api(type: Numbering.self)?.number == 4)
    }

    @Test("`once` builds exactly one object when threads race")
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

    @Test("An IMP built by `once` that holds its center unowned does not keep the center alive")
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

    @Test("A task that a `once` builder starts may ask for the same Api")
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

@Suite("`weakSingleton`")
struct WeakSingletonTests {
    let center = ApiCenter()

    @Test("A weak singleton is freed when its last holder releases it, and the next call builds a new one")
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

    @Test("A weak singleton can be registered under a protocol")
    func behindAProtocol() {
        center.registerApi(type: Counting.self, impBuilder: weakSingleton { Counter() })
        let holder = center.api(type: Counting.self)
        center.api(type: Counting.self)?.increment()
        #expect(holder?.count == 1)
    }

    @Test("`weakSingleton` builds exactly one object when threads race")
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

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("`weakSingleton` stops the process with a message if its builder returns a struct")
    func structIsRejected() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: Numbering.self, impBuilder: weakSingleton { Number(number: 1) })
            _ = center.api(type: Numbering.self)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("weakSingleton built a Number for ApiCenterTests.Numbering"))
    }
    #endif
}

@Suite("Builders that depend on each other in a cycle")
struct CycleTests {
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
            // Waits until both builders run, so that neither asks for the other Api too early.
            while inside.value < 2 { Thread.yield() }
            _ = center.api(type: Other.self)
            return imp
        }
    }

    @Test("Neither 70 busy builders nor a single recursive call of a builder is reported as a cycle")
    func noCycle() {
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
                // The 70 busy builders take every reader slot.
                while inside.value < 70 { Thread.yield() }
                #expect(center.api(type: Int.self) == 2)
                goOn.update { $0 = true }
            }
        }
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    private func message(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("A cycle of plain builders stops the process with a message before the stack overflows")
    func plain() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: Self.needs(Second.self, Imp()))
            center.registerApi(type: Second.self, impBuilder: Self.needs(Third.self, Imp()))
            center.registerApi(type: Third.self, impBuilder: Self.needs(First.self, Imp()))
            _ = center.api(type: First.self)
        }
        // The message may start at any of the three Apis, depending on the stack depth at which the process
        // stops.
        let names = ["First", "Second", "Third", "First", "Second", "Third"].map {
            "ApiCenterTests.CycleTests.\($0)"
        }
        let chains = (0..<3).map {
            "in a cycle: \(names[$0..<$0 + 3].joined(separator: " -> ")) -> \(names[$0])."
        }
        #expect(chains.contains { message(result).contains($0) })
    }

    @Test("A `once` builder that needs its own Api stops the process with a message that names the Api")
    func itself() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: once(Self.needs(First.self, Imp())))
            _ = center.api(type: First.self)
        }
        let name = "ApiCenterTests.CycleTests.First"
        #expect(message(result).contains("in a cycle: \(name) -> \(name)."))
        #expect(message(result).contains(/ApiCenterTests\/BuilderHelperTests\.swift:\d+: Fatal error/))
    }

    @Test("A cycle of `once` and plain builders stops the process with a message instead of deadlocking")
    func buildOnce() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.registerApi(type: First.self, impBuilder: once(Self.needs(Second.self, Imp())))
            center.registerApi(type: Second.self, impBuilder: Self.needs(Third.self, Imp()))
            center.registerApi(type: Third.self, impBuilder: once(Self.needs(First.self, Imp())))
            _ = center.api(type: First.self)
        }
        let names = ["First", "Second", "Third", "First"].map { "ApiCenterTests.CycleTests.\($0)" }
        #expect(message(result).contains("in a cycle: \(names.joined(separator: " -> "))."))
    }

    @Test("A cycle of `once` builders that two threads enter stops the process instead of deadlocking")
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
        let first = "ApiCenterTests.CycleTests.First", second = "ApiCenterTests.CycleTests.Second"
        let chains = ["\(first) -> \(second) -> \(first).", "\(second) -> \(first) -> \(second)."]
        #expect(chains.contains { message(result).contains("in a cycle: \($0)") })
    }
    #endif
}
