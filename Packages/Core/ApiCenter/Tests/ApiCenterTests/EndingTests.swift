import Dispatch
import Testing

@testable import ApiCenter

@Suite("Calls while a session ends")
struct EndingTests {
    private protocol Login {}
    private protocol Trip {}
    private protocol Stop {}

    /// Belongs to the session Login.
    final class Account: Sendable {}

    /// Is built from an account.
    final class Ride: Sendable {
        let account: Account?
        init(_ account: Account?) { self.account = account }
    }

    /// Belongs to the session Login, and is built from an account and a ride.
    final class Receipt: Sendable {
        let accounts: [Account?]
        init(_ accounts: [Account?]) { self.accounts = accounts }
    }

    let center = ApiCenter()

    init() { center.register(Account.self, scope: .session(Login.self)) { Account() } }

    @Test(
        "A call that begins after the end returns nothing that a builder of the ended session is still building",
        arguments: [false, true])
    func oldBuilder(isWeak: Bool) throws {
        // A call may come too late to wait for the old builder. So the test repeats.
        for _ in 0..<50 {
            let center = ApiCenter(), isFirst = Shared(true), asking = Counter(), done = DispatchGroup()
            let inside = DispatchSemaphore(value: 0), goOn = DispatchSemaphore(value: 0)
            let anns = Shared<Receipt?>(nil), bens = Shared<Ride?>(nil)
            center.register(Account.self, scope: .session(Login.self)) { Account() }
            center.register(Receipt.self, scope: .session(Login.self)) { center in
                Receipt([center.api(type: Ride.self)?.account, center.api(type: Account.self)])
            }
            center.register(Ride.self, scope: isWeak ? .weak : .session(Trip.self)) { center in
                if isFirst.value {
                    isFirst.update { $0 = false }
                    inside.signal()
                    goOn.wait(for: "the second call")
                }
                return Ride(center.api(type: Account.self))
            }
            center.register(Counter.self, scope: .session(Trip.self)) { Counter() }
            Thread.run(in: done) {
                anns.update { [receipt = center.api(type: Receipt.self)] in $0 = receipt }
            }
            inside.wait(for: "the builder of the ride")
            center.endSession(Login.self)
            let account = try #require(center.api(type: Account.self))
            let ofTheTrip = try #require(center.api(type: Counter.self))
            center.addObserver { _ in asking.increment() }
            Thread.run(in: done) { bens.update { [ride = center.api(type: Ride.self)] in $0 = ride } }
            Thread.wait(for: "the second call") { asking.count >= 1 }
            for _ in 0..<20 { Thread.yield() }
            goOn.signal()
            done.wait(for: "two calls")
            let ride = try #require(bens.value)
            #expect(ride.account === account)
            #expect(center.api(type: Ride.self) === ride)
            // The new user's session goes on, and the old builder got objects of one session alone.
            #expect(center.api(type: Counter.self) === ofTheTrip)
            let old = try #require(anns.value).accounts
            #expect(old[0] === old[1])
            #expect(old[0] !== account)
        }
    }

    @Test(
        "A builder of an ended session gets another object if one of the same session was built from ended objects"
    )
    func endedTwice() throws {
        let done = DispatchGroup(), steps = (0..<4).map { _ in DispatchSemaphore(value: 0) }
        let built = Shared<Receipt?>(nil)
        center.register(Ride.self, scope: .session(Trip.self)) { Ride($0.api(type: Account.self)) }
        center.register(Counter.self, scope: .session(Login.self)) { center in
            steps[0].signal()
            steps[1].wait(for: "the end of the login")
            _ = center.api(type: Ride.self)
            return Counter()
        }
        center.register(Receipt.self, scope: .session(Trip.self)) { center in
            steps[2].signal()
            steps[3].wait(for: "the end of the trip")
            return Receipt([center.api(type: Ride.self)?.account])
        }
        // Ann's builder builds a ride in the trip after her session has ended.
        Thread.run(in: done) { [center] in _ = center.api(type: Counter.self) }
        steps[0].wait(for: "the builder of the counter")
        center.endSession(Login.self)
        steps[1].signal()
        done.wait(for: "the counter")
        // The trip ends while a builder of Ben's, who has another account, is about to request a ride.
        Thread.run(in: done) { [center] in built.update { [new = center.api(type: Receipt.self)] in $0 = new }
        }
        steps[2].wait(for: "the builder of the receipt")
        center.endSession(Trip.self)
        steps[3].signal()
        done.wait(for: "the receipt")
        let bens = try #require(center.api(type: Account.self))
        #expect(try #require(built.value).accounts[0] === bens)
    }

    @Test("All sessions that end together have ended when the first deinit of their objects runs")
    func deinits() throws {
        let center = center, seen = Shared<Ride?>(nil)
        center.register(Ride.self, scope: .session(Trip.self)) { Ride($0.api(type: Account.self)) }
        center.register(Token.self, scope: .session(Stop.self)) { center in
            _ = center.api(type: Account.self)
            return Token { [weak center] in seen.update { [ride = center?.api(type: Ride.self)] in $0 = ride }
            }
        }
        // The session Trip is built from the session Login before the session Stop is, so it is the last one to end.
        let anns = try #require(center.api(type: Ride.self))
        _ = center.api(type: Token.self)
        center.endSession(Login.self)
        let bens = try #require(seen.value)
        #expect(bens !== anns)
    }

    @Test("What a task requests that a builder starts is not requested by the builder, even at once")
    func immediateTask() throws {
        guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
        center.register(Ride.self) { Ride($0.api(type: Account.self)) }
        let seen = Shared<Ride?>(nil)
        center.register(Counter.self, scope: .once) { center in
            // The builder of a `once` object that requests an object of a session stops the process.
            Task.immediateDetached { seen.update { [ride = center.api(type: Ride.self)] in $0 = ride } }
            return Counter()
        }
        _ = center.api(type: Counter.self)
        #expect(try #require(seen.value).account === center.api(type: Account.self))
    }

    @Test("A long session forgets the sessions that were built from it and have ended")
    func forgotten() {
        let sessions = Sessions(), login = SessionEnd(key: ObjectIdentifier(Login.self), in: sessions)
        weak var ended: SessionEnd?
        for _ in 0..<2 {
            let trip = SessionEnd(key: ObjectIdentifier(Trip.self), in: sessions)
            #expect(login.alsoEnds(trip))
            #expect(ended == nil)
            ended = trip
            SessionEnd.happen { trip }
        }
    }

    @Test("If two calls end the same session, the end is in force when either call returns")
    func secondEnd() throws {
        // The two calls may come one after the other. So the test repeats.
        for _ in 0..<40 {
            let center = ApiCenter(), stale = Shared(0)
            center.register(Account.self, scope: .session(Login.self)) { Account() }
            center.register(Ride.self, scope: .session(Trip.self)) { Ride($0.api(type: Account.self)) }
            let anns = try #require(center.api(type: Ride.self))
            // These sessions end before the session Trip does, so the end takes a while.
            for api in manyApis(count: 200) {
                api.registerInSession(center)
                _ = api.number(in: center)
            }
            Thread.race(2) { _ in
                center.endSession(Login.self)
                if center.api(type: Ride.self) === anns { stale.update { $0 += 1 } }
            }
            #expect(stale.value == 0)
        }
    }

    @Test("A session that has ended is no origin of what is built from the next one")
    func tooLate() {
        let sessions = Sessions(), origins = Origins()
        let login = sessions.session(ObjectIdentifier(Account.self)).end
        let trip = sessions.session(ObjectIdentifier(Ride.self)).end
        SessionEnd.happen { login }
        #expect(!origins.add(login, evenIfEnded: false))
        #expect(!login.alsoEnds(trip))
        #expect(origins.ends.isEmpty)
        #expect(!trip.hasHappened)
    }

    @Test(
        "A weak object that was built from objects of two sessions ends with either of them",
        arguments: [true, false])
    func twoOrigins(endsFirst: Bool) {
        let center = center
        center.register(Ride.self, scope: .session(Trip.self)) { Ride(nil) }
        center.register(Receipt.self, scope: .weak) { center in
            _ = center.api(type: Ride.self)
            return Receipt([center.api(type: Account.self)])
        }
        let receipt = center.api(type: Receipt.self)
        #expect(receipt != nil && center.api(type: Receipt.self) === receipt)
        if endsFirst { center.endSession(Trip.self) } else { center.endSession(Login.self) }
        #expect(center.api(type: Receipt.self) !== receipt)
    }

    @Test("A failed build of a weak object leaves nothing behind that ends the object of a later build")
    func failedBuild() throws {
        struct Failure: Error {}
        let fails = Shared(true)
        center.register(Ride.self, scope: .weak) { center in
            if fails.value {
                _ = center.api(type: Account.self)
                throw Failure()
            }
            return Ride(nil)
        }
        #expect(center.api(type: Ride.self) == nil)
        fails.update { $0 = false }
        let ride = try #require(center.api(type: Ride.self))
        center.endSession(Login.self)
        #expect(center.api(type: Ride.self) === ride)
    }
}
