import ApiCenter
import Dispatch
import Testing

@Suite("The function `once`")
struct OnceTests {
    let center = ApiCenter()

    @Test("A `once` builder builds on the first call and keeps the object until the Api is removed")
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

    @Test("A `once` builder builds exactly one object when threads race")
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

    @Test("An IMP that is built by `once` and holds its center weakly does not keep the center alive")
    func noCycle() {
        final class Imp: Sendable {
            weak let center: ApiCenter?
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

    @Test(
        "A call in flight while the app is torn down finds no Apis, and leaves neither the IMP nor the center behind"
    )
    func teardown() async {
        final class Imp: Sendable {
            weak let center: ApiCenter?
            init(center: ApiCenter) { self.center = center }

            /// Looks up an Api after a suspension.
            func number(after ticks: AsyncStream<Void>) async -> Int? {
                for await _ in ticks {}
                return center?.api(type: Numbering.self)?.number
            }
        }
        weak var aliveCenter: ApiCenter?
        weak var aliveImp: Imp?
        let (ticks, clock) = AsyncStream<Void>.makeStream()
        let call: Task<Int?, Never>
        do {
            let center = ApiCenter()
            center.register(Numbering.self) { Number(number: 7) }
            center.register(Imp.self, scope: .once) { Imp(center: $0) }
            (aliveCenter, aliveImp) = (center, center.api(type: Imp.self))
            call = Task { [imp = aliveImp] in await imp?.number(after: ticks) }
        }
        #expect(aliveCenter == nil)
        clock.finish()
        #expect(await call.value == nil)
        #expect(aliveImp == nil)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("With an unowned center, a call in flight while the app is torn down stops the process")
    func unownedTeardown() async {
        await #expect(processExitsWith: .failure) {
            final class Imp: Sendable {
                unowned let center: ApiCenter
                init(center: ApiCenter) { self.center = center }
            }
            var center: ApiCenter? = ApiCenter()
            center?.register(Imp.self, scope: .once) { Imp(center: $0) }
            let imp = center?.api(type: Imp.self)
            center = nil
            _ = imp?.center.api(type: Numbering.self)
        }
    }
    #endif

    @Test("A task that a `once` builder starts may request the same Api")
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

@Suite("The function `weakSingleton`")
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

    @Test("A `weakSingleton` builder builds exactly one object when threads race")
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
    @Test("A `weakSingleton` builder that returns a struct stops the process with a message")
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
