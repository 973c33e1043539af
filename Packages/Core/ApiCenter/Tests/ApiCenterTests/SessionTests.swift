import ApiCenter
import Dispatch
import Testing

@Suite("Sessions")
struct SessionTests {
    /// The key of the sessions. Any type can be a key.
    private protocol Login {}
    private protocol Trip {}

    /// Belongs to a session.
    final class Account: Sendable {
        let token: Token?
        init(token: Token? = nil) { self.token = token }
    }

    /// Belongs to a session, and keeps another object of the session, which its builder requested twice.
    final class Basket: Sendable {
        let accounts: [Account]
        init(accounts: [Account?]) { self.accounts = accounts.compactMap(\.self) }
    }

    let center: ApiCenter

    init() {
        center = ApiCenter()
        center.register(Account.self, scope: .session(Login.self)) { Account() }
    }

    private var account: Account? { center.api(type: Account.self) }

    @Test("Calls return one object until the session ends, and then another one")
    func one() throws {
        let first = try #require(account)
        #expect(account === first)
        center.endSession(Trip.self)
        #expect(account === first)
        center.endSession(Login.self)
        let second = try #require(account)
        #expect(second !== first)
        #expect(account === second)
    }

    @Test("The end of a session frees its objects before it returns, but not the object that a caller holds")
    func freed() {
        let freed = Shared(0), center = center
        center.replaceApi(type: Account.self, scope: .session(Login.self)) {
            Account(token: Token { freed.update { $0 += 1 } })
        }
        _ = account
        center.endSession(Login.self)
        #expect(freed.value == 1)
        var held = account
        center.endSession(Login.self)
        #expect(freed.value == 1)
        #expect(held !== account)
        held = nil
        #expect(freed.value == 2)
    }

    @Test("The removal of a registration frees the object of the session")
    func removal() {
        let freed = Shared(0)
        center.replaceApi(type: Account.self, scope: .session(Login.self)) {
            Account(token: Token { freed.update { $0 += 1 } })
        }
        _ = account
        center.removeApi(api: Account.self)
        #expect(freed.value == 1)
        center.endSession(Login.self)
    }

    @Test("The deinit of an object of a session may use the center")
    func deinitUsesTheCenter() {
        let isOther = Shared(false)
        center.replaceApi(type: Account.self, scope: .session(Login.self)) { center in
            Account(
                token: Token { [weak center] in
                    center?.endSession(Login.self)
                    isOther.update { $0 = center?.api(type: Basket.self) != nil }
                })
        }
        center.register(Basket.self, scope: .session(Trip.self)) { Basket(accounts: []) }
        _ = account
        center.endSession(Login.self)
        #expect(isOther.value)
    }

    @Test("Sessions of two centers, and of two scopes of overrides, end separately")
    func separate() throws {
        let other = ApiCenter()
        other.register(Account.self, scope: .session(Login.self)) { Account() }
        let here = try #require(account), there = try #require(other.api(type: Account.self))
        try center.withOverrides { _ in
        } operation: {
            let inside = try #require(account)
            #expect(inside !== here)
            center.endSession(Login.self)
            #expect(account !== inside)
        }
        #expect(account === here)
        center.endSession(Login.self)
        #expect(account !== here)
        #expect(other.api(type: Account.self) === there)
    }

    @Test(
        "An object that is built while its session ends gets all objects from the old session",
        arguments: [false, true])
    func notMixed(endsBeforeTheFirst: Bool) throws {
        let inside = DispatchSemaphore(value: 0), goOn = DispatchSemaphore(value: 0)
        center.register(Basket.self, scope: .session(Login.self)) { center in
            let first = endsBeforeTheFirst ? nil : center.api(type: Account.self)
            inside.signal()
            goOn.wait(for: "the end of the session")
            return Basket(accounts: [first, center.api(type: Account.self), center.api(type: Account.self)])
        }
        let center = center, built = Shared<Basket?>(nil)
        let done = DispatchGroup()
        Thread.run(in: done) { built.update { [basket = center.api(type: Basket.self)] in $0 = basket } }
        inside.wait(for: "the builder")
        center.endSession(Login.self)
        let next = try #require(account)
        goOn.signal()
        done.wait(for: "the built basket")
        let basket = try #require(built.value)
        #expect(Set(basket.accounts.map(ObjectIdentifier.init)).count == 1)
        #expect(basket.accounts.first !== next)
        #expect(account === next)
        goOn.signal()
        #expect(center.api(type: Basket.self)?.accounts.last === next)
    }

    @Test("Plain, weak and session builders may request an object of another session")
    func allowed() {
        center.register(Basket.self) { Basket(accounts: [$0.api(type: Account.self)]) }
        #expect(center.api(type: Basket.self)?.accounts.count == 1)
        center.replaceApi(type: Basket.self, scope: .weak) { Basket(accounts: [$0.api(type: Account.self)]) }
        #expect(center.api(type: Basket.self)?.accounts.count == 1)
        center.replaceApi(type: Basket.self, scope: .session(Trip.self)) {
            Basket(accounts: [$0.api(type: Account.self)])
        }
        #expect(center.api(type: Basket.self)?.accounts.first === account)
    }

    /// How a value that is not of the session Login reaches an object of this session.
    enum Path: CaseIterable {
        case directly, throughAPlainBuilder, throughAWeakObject

        /// Registers the Apis between the value and the object, and returns the request that the value's builder makes.
        func prepare(_ center: ApiCenter) -> @Sendable (ApiCenter) -> Account? {
            switch self {
            case .directly: return { $0.api(type: Account.self) }
            case .throughAPlainBuilder:
                center.register([Account].self) { [$0.api(type: Account.self)].compactMap(\.self) }
                return { $0.api(type: [Account].self)?.first }
            case .throughAWeakObject:
                center.register(Link.self, scope: .weak) { Link($0.api(type: Account.self)) }
                return { $0.api(type: Link.self)?.account }
            }
        }
    }

    final class Link: Sendable {
        let account: Account?
        init(_ account: Account?) { self.account = account }
    }

    @Test(
        "A weak object that was built from an object of a session is built anew after the end",
        arguments: Path.allCases)
    func weakEnds(path: Path) throws {
        let request = path.prepare(center)
        center.register(Basket.self, scope: .weak) { Basket(accounts: [request($0)]) }
        let anns = try #require(center.api(type: Basket.self))
        #expect(center.api(type: Basket.self) === anns)
        center.endSession(Trip.self)
        #expect(center.api(type: Basket.self) === anns)
        center.endSession(Login.self)
        let bens = try #require(center.api(type: Basket.self))
        #expect(bens !== anns)
        #expect(bens.accounts.first === account)
        #expect(center.api(type: Basket.self) === bens)
    }

    @Test("A session that was built from an object of another session ends with it", arguments: Path.allCases)
    func sessionEnds(path: Path) throws {
        let freed = Shared(0), request = path.prepare(center)
        center.register(Basket.self, scope: .session(Trip.self)) { Basket(accounts: [request($0)]) }
        center.register(Token.self, scope: .session(Trip.self)) { Token { freed.update { $0 += 1 } } }
        // The weak object outlives neither session, but is there when the trip begins.
        let link = center.api(type: Link.self)
        _ = center.api(type: Token.self)
        let anns = try #require(center.api(type: Basket.self))
        center.endSession(Login.self)
        // All objects of the trip end at once, and those that were built from the trip.
        #expect(freed.value == 1)
        #expect(center.api(type: Basket.self) !== anns)
        #expect(center.api(type: Basket.self)?.accounts.first === account)
        withExtendedLifetime(link) {}
    }

    @Test("The end of a session spreads along a chain of sessions, but not against its direction")
    func chainEnds() throws {
        enum Stop {}
        center.register(Basket.self, scope: .session(Trip.self)) {
            Basket(accounts: [$0.api(type: Account.self)])
        }
        center.register(Link.self, scope: .session(Stop.self)) {
            Link($0.api(type: Basket.self)?.accounts.first)
        }
        let link = try #require(center.api(type: Link.self)), basket = center.api(type: Basket.self)
        let account = account
        center.endSession(Stop.self)
        #expect(center.api(type: Link.self) !== link)
        #expect(center.api(type: Basket.self) === basket)
        center.endSession(Login.self)
        #expect(center.api(type: Basket.self) !== basket)
        #expect(center.api(type: Link.self)?.account !== account)
        #expect(center.api(type: Link.self)?.account === self.account)
    }

    @Test("Sessions whose objects were built from each other end together", arguments: [false, true])
    func circle(endsTrip: Bool) throws {
        center.register(Basket.self, scope: .session(Trip.self)) {
            Basket(accounts: [$0.api(type: Account.self)])
        }
        center.register(Link.self, scope: .session(Login.self)) {
            Link($0.api(type: Basket.self)?.accounts.first)
        }
        let link = try #require(center.api(type: Link.self)), basket = center.api(type: Basket.self)
        #expect(link.account === account)
        if endsTrip { center.endSession(Trip.self) } else { center.endSession(Login.self) }
        #expect(account !== link.account)
        #expect(center.api(type: Basket.self) !== basket)
        #expect(center.api(type: Link.self) !== link)
    }

    @Test("What is being built while its session ends is not kept", arguments: [false, true])
    func endsDuringTheBuild(isWeak: Bool) throws {
        let center = center, first = Shared(true)
        center.register(Basket.self, scope: isWeak ? .weak : .session(Trip.self)) { center in
            let account = center.api(type: Account.self)
            if first.value {
                first.update { $0 = false }
                center.endSession(Login.self)
            }
            return Basket(accounts: [account])
        }
        let anns = try #require(center.api(type: Basket.self))
        let bens = try #require(center.api(type: Basket.self))
        #expect(bens !== anns)
        #expect(bens.accounts.first === account)
    }

    @Test("A session that outlives many others keeps nothing of them")
    func nothingIsLeft() {
        weak var center: ApiCenter?
        let freed = Shared(0)
        do {
            let app = ApiCenter()
            center = app
            app.register(Account.self, scope: .session(Login.self)) { Account() }
            app.register(Basket.self, scope: .session(Trip.self)) {
                Basket(accounts: [$0.api(type: Account.self)])
            }
            app.register(Token.self, scope: .session(Trip.self)) { Token { freed.update { $0 += 1 } } }
            app.register(Link.self, scope: .weak) { Link($0.api(type: Basket.self)?.accounts.first) }
            for _ in 0..<100 {
                _ = app.api(type: Token.self)
                _ = app.api(type: Link.self)
                app.endSession(Trip.self)
            }
            #expect(freed.value == 100)
            _ = app.api(type: Token.self)
            _ = app.api(type: Basket.self)
        }
        #expect(center == nil)
        #expect(freed.value == 101)
    }

    @Test("A session ends with the center of the objects that it was built from")
    func twoCenters() throws {
        let trips = ApiCenter(), freed = Shared(0)
        do {
            let logins = ApiCenter()
            logins.register(Account.self, scope: .session(Login.self)) { Account() }
            trips.register(Basket.self, scope: .session(Trip.self)) { [weak logins] _ in
                Basket(accounts: [logins?.api(type: Account.self)])
            }
            trips.register(Token.self, scope: .session(Trip.self)) { Token { freed.update { $0 += 1 } } }
            _ = trips.api(type: Token.self)
            let anns = try #require(trips.api(type: Basket.self))
            logins.endSession(Login.self)
            #expect(freed.value == 1)
            #expect(trips.api(type: Basket.self) !== anns)
            _ = trips.api(type: Token.self)
        }
        #expect(freed.value == 2)
        #expect(trips.api(type: Basket.self)?.accounts.isEmpty == true)
    }

    @Test(
        "Under races of ends, no value that was built from an object of a session is returned after the end")
    func stressOfDependents() {
        let rounds = 300
        let center = ApiCenter(), ending = Shared(0), ended = Shared(0), isOver = Shared(0), stale = Shared(0)
        center.register(Number.self, scope: .session(Login.self)) { Number(number: ending.value) }
        center.register(Counting.self, scope: .weak) { center in
            let counter = Numbered(center.api(type: Number.self)?.number ?? -1)
            Thread.yield()
            return counter
        }
        center.register(Numbering.self, scope: .session(Trip.self)) { center in
            Number(number: center.api(type: Counting.self)?.count ?? -1)
        }
        // Objects of the session Login that request the others, and so begin to build them.
        center.register(UInt.self, scope: .session(Login.self)) { center in
            Thread.yield()
            return UInt(bitPattern: center.api(type: Numbering.self)?.number ?? -1)
        }
        center.register(UInt8.self, scope: .session(Login.self)) { center in
            Thread.yield()
            return UInt8(truncatingIfNeeded: center.api(type: Counting.self)?.count ?? -1)
        }
        Thread.race(7) { thread in
            if thread < 2 {
                for _ in 0..<rounds {
                    ending.update { $0 += 1 }
                    center.endSession(Login.self)
                    ended.update { $0 += 1 }
                    Thread.yield()
                }
                isOver.update { $0 += 1 }
                return
            }
            var held: (any Counting)?
            while isOver.value < 2 {
                if thread == 2 { _ = center.api(type: UInt.self) }
                if thread == 3 { _ = center.api(type: UInt8.self) }
                let before = ended.value
                let number = center.api(type: Numbering.self)?.number ?? -1
                held = center.api(type: Counting.self)
                if number < before || (held?.count ?? -1) < before { stale.update { $0 += 1 } }
            }
        }
        #expect(stale.value == 0)
    }

    final class Numbered: Counting {
        let count: Int
        init(_ count: Int) { self.count = count }
        func increment() {}
    }

    @Test(
        "Under a thousand ends, no call returns an object of an ended session, and no object mixes two sessions"
    )
    func stress() {
        #if DEBUG
        let ends = 1_000
        #else
        let ends = 20_000
        #endif
        let center = ApiCenter(), ending = Shared(0), ended = Shared(0), isOver = Shared(false)
        let stale = Shared(0), mixed = Shared(0), alive = Shared(0)
        center.register(Numbering.self, scope: .session(Login.self)) { Number(number: ending.value) }
        center.register(Account.self, scope: .session(Login.self)) {
            alive.update { $0 += 1 }
            return Account(token: Token { alive.update { $0 -= 1 } })
        }
        center.register(Basket.self, scope: .session(Login.self)) { center in
            let first = center.api(type: Account.self)
            Thread.yield()
            return Basket(accounts: [first, center.api(type: Account.self)])
        }
        Thread.race(4) { thread in
            if thread == 0 {
                for _ in 0..<ends {
                    // A value of the next session is built with at least this number.
                    ending.update { $0 += 1 }
                    center.endSession(Login.self)
                    ended.update { $0 += 1 }
                    // Some sessions have no user.
                    if Bool.random() { _ = center.api(type: Basket.self) }
                }
                isOver.update { $0 = true }
                return
            }
            while !isOver.value {
                let before = ended.value
                if let number = center.api(type: Numbering.self)?.number, number < before {
                    stale.update { $0 += 1 }
                }
                if let accounts = center.api(type: Basket.self)?.accounts, accounts[0] !== accounts[1] {
                    mixed.update { $0 += 1 }
                }
            }
        }
        #expect(stale.value == 0)
        #expect(mixed.value == 0)
        center.endSession(Login.self)
        #expect(alive.value == 0)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test(
        "A `once` builder that requests an object of a session stops the process with a message that names both"
    )
    func captive() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.register(Account.self, scope: .session(Login.self)) { Account() }
            center.register(Int.self) { $0.api(type: Account.self) == nil ? 0 : 1 }
            center.register(String.self, scope: .once) { "\($0.api(type: Int.self) ?? 0)" }
            // A session's builder, too, may not build such a value.
            center.register(Basket.self, scope: .session(Login.self)) { center in
                _ = center.api(type: Account.self)
                _ = center.api(type: String.self)
                return Basket(accounts: [])
            }
            _ = center.api(type: Basket.self)
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(
            message.contains(
                "an object of a session: Swift.String -> Swift.Int -> ApiCenterTests.SessionTests.Account."))
        #expect(
            message.contains(
                /ApiCenterTests\/SessionTests\.swift:\d+: Fatal error: Swift\.String is built once/))
    }

    @Test(
        "A `once` builder that requests a weak object of a session stops the process, even if the object exists"
    )
    func captiveOfAWeakObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let center = ApiCenter()
            center.register(Account.self, scope: .session(Login.self)) { Account() }
            center.register(Link.self, scope: .weak) { Link($0.api(type: Account.self)) }
            center.register(String.self, scope: .once) { $0.api(type: Link.self) == nil ? "" : "kept" }
            let link = center.api(type: Link.self)
            _ = center.api(type: String.self)
            withExtendedLifetime(link) {}
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("an object of a session: Swift.String -> ApiCenterTests.SessionTests.Link."))
    }
    #endif
}
