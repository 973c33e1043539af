import ApiCenter
import Foundation
import JourneyApi
import Lifecycle
import PayTypeApi
import Ride
import RideApi
import RideCode
import ServiceOpenApi
import Storage
import Testing

@Suite("Ride")
struct RideTests {
    let app: App
    let ride: any RideApiProtocol

    init() throws {
        app = try App()
        ride = try app.center.requireApi(type: RideApiProtocol.self)
    }

    @Test("lets a passenger in and, for the fare, out again; the journey is kept")
    func inAndOut() throws {
        #expect(try ride.passGate(code: ride.code().code, at: "Museum") == .entered(station: "Museum"))
        #expect(ride.enteredAt == "Museum")
        let passage = try ride.passGate(code: ride.code().code, at: "University")
        #expect(
            passage
                == .left(
                    Fare(
                        from: "Museum", to: "University", cents: 300, receipt: "Museum - University: 300",
                        isRecorded: true)))
        #expect(ride.enteredAt == nil)
        #expect(app.kept.value.map(\.to) == ["University"])
    }

    @Test(
        "costs 2.00 for the first stop and 0.50 for each one more, both ways",
        arguments: [
            ("Museum", "Museum", 200), ("Museum", "Old Town", 200), ("South Gate", "North Gate", 400),
        ])
    func fares(from: String, to: String, cents: Int) throws {
        _ = try ride.passGate(code: ride.code().code, at: from)
        guard case .left(let fare) = try ride.passGate(code: ride.code().code, at: to) else {
            Issue.record("still in")
            return
        }
        #expect(fare.cents == cents)
    }

    @Test("shows one code while it is good, and another when a gate has taken it")
    func codes() throws {
        let first = try ride.code()
        #expect(try ride.code() == first)
        _ = try ride.passGate(code: first.code, at: "Museum")
        #expect(try ride.code() != first)
        #expect(throws: RideApiError.codeRefused(.used)) { try ride.passGate(code: first.code, at: "Museum") }
        #expect(ride.enteredAt == "Museum")
    }

    @Test("takes no code whose time is over, and shows a new one then")
    func expired() throws {
        let old = try ride.code()
        app.time.value += 61
        #expect(throws: RideApiError.codeRefused(.expired)) {
            try ride.passGate(code: old.code, at: "Museum")
        }
        #expect(throws: Never.self) { try ride.passGate(code: ride.code().code, at: "Museum") }
    }

    @Test("lets a passenger who is at two gates at once in at one and out at the other, for one fare")
    func twoGates() throws {
        // While the first gate takes the fare, the second is shown the next code.
        _ = try ride.passGate(code: ride.code().code, at: "Museum")
        let second = Shared<Passage?>(nil)
        app.whilePaying.value = { [app] in
            app.whilePaying.value = nil
            guard let ride = app.center.api(type: RideApiProtocol.self) else { return }
            second.value = try? ride.passGate(code: ride.code().code, at: "Harbour")
        }
        guard case .left = try ride.passGate(code: ride.code().code, at: "Old Town") else {
            Issue.record("not out")
            return
        }
        #expect(second.value == .entered(station: "Harbour"))
        #expect(app.kept.value.map(\.to) == ["Old Town"])
    }

    @Test("replaces the code when the refresh notification is posted")
    func refresh() throws {
        let old = try ride.code()
        app.notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
        #expect(throws: RideApiError.codeRefused(.replaced)) {
            try ride.passGate(code: old.code, at: "Museum")
        }
        #expect(try ride.code() != old)
    }

    @Test("replaces the code when the app goes to the background, and at no other event")
    func background() async throws {
        let module = RideModule(), old = try ride.code()
        for event in [LifecycleEvent.launch, .active, .memoryWarning] {
            try await module.handle(event, in: app.center)
        }
        #expect(try ride.code() == old)
        try await module.handle(.background, in: app.center)
        #expect(throws: RideApiError.codeRefused(.replaced)) {
            try ride.passGate(code: old.code, at: "Museum")
        }
    }

    @Test("opens no gate for a code that nobody issued, nor at a station that is none")
    func unknown() throws {
        #expect(throws: RideApiError.codeRefused(.unknown)) { try ride.passGate(code: "x", at: "Museum") }
        let code = try ride.code().code
        #expect(throws: RideApiError.unknownStation("Atlantis")) {
            try ride.passGate(code: code, at: "Atlantis")
        }
        #expect(throws: Never.self) { try ride.passGate(code: code, at: "Museum") }
    }

    @Test("keeps the gate shut when the fare is refused, and the ride goes on")
    func refused() throws {
        _ = try ride.passGate(code: ride.code().code, at: "Museum")
        app.payment.value = .refused(name: "Balance", reason: "it is empty")
        #expect(throws: RideApiError.paymentRefused("Balance: it is empty")) {
            try ride.passGate(code: ride.code().code, at: "Harbour")
        }
        #expect(ride.enteredAt == "Museum")
        #expect(app.kept.value.isEmpty)
        app.payment.value = nil
        #expect(throws: Never.self) { try ride.passGate(code: ride.code().code, at: "Harbour") }
        #expect(ride.enteredAt == nil)
    }

    @Test("has codes only for who is logged in, has opened the service and picked a way to pay")
    func preconditions() {
        app.hasPicked.value = false
        #expect(throws: RideApiError.noPayType) { try ride.code() }
        app.isOpen.value = false
        #expect(throws: RideApiError.serviceNotOpen) { try ride.code() }
        app.user.value = nil
        #expect(throws: RideApiError.notLoggedIn) { try ride.code() }
    }

    @Test("ends the code at hand with the session that it was made for")
    func loggedOut() throws {
        let old = try ride.code().code
        app.logOut()
        app.notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
        app.user.value = "ann"
        #expect(throws: RideApiError.codeRefused(.expired)) { try ride.passGate(code: old, at: "Museum") }
        let new = try ride.code().code
        #expect(new != old)
        #expect(throws: Never.self) { try ride.passGate(code: new, at: "Museum") }
    }

    @Test("hands out no code that a log-out overtook while it was made, and leaves none behind")
    func loggedOutMeanwhile() throws {
        app.whileAsked.value = { [app] in
            app.whileAsked.value = nil
            app.logOut()
        }
        #expect(throws: RideApiError.notLoggedIn) { try ride.code() }
        app.time.value += 30
        app.user.value = "ann"
        #expect(try ride.code().expires == app.time.value + 60)
    }

    @Test("leaves the code of the passenger's new session to that session")
    func loggedInAgainMeanwhile() throws {
        let new = Shared<String?>(nil)
        app.whileAsked.value = { [app] in
            app.whileAsked.value = nil
            app.logOut()
            app.user.value = "ann"
            new.value = try? app.center.api(type: RideApiProtocol.self)?.code().code
        }
        #expect(throws: RideApiError.notLoggedIn) { try ride.code() }
        let code = try #require(new.value)
        #expect(throws: Never.self) { try ride.passGate(code: code, at: "Museum") }
    }

    @Test(
        "takes no fare from whoever logs in while the gate opens: the ride goes on", arguments: ["bob", nil])
    func anotherMeanwhile(other: String?) throws {
        _ = try ride.passGate(code: ride.code().code, at: "Museum")
        let code = try ride.code().code
        app.whileTimed.value = { [app] in app.user.value = other }
        app.whilePaying.value = { Issue.record("\(other ?? "nobody") pays") }
        #expect(throws: RideApiError.notLoggedIn) { try ride.passGate(code: code, at: "Harbour") }
        app.whileTimed.value = nil
        #expect(app.kept.value.isEmpty)
        app.user.value = "ann"
        #expect(ride.enteredAt == "Museum")
    }

    @Test("opens no gate for somebody else's code")
    func somebodyElse() throws {
        let code = try ride.code().code
        app.user.value = "bob"
        #expect(throws: RideApiError.notLoggedIn) { try ride.passGate(code: code, at: "Museum") }
        app.user.value = "ann"
        #expect(throws: Never.self) { try ride.passGate(code: code, at: "Museum") }
    }

    @Test("goes on without the modules that open, pay or keep, and says so")
    func cropped() throws {
        app.center.removeApi(api: ServiceOpenApiProtocol.self)
        app.center.removeApi(api: PayTypeApiProtocol.self)
        app.center.removeApi(api: JourneyApiProtocol.self)
        _ = try ride.passGate(code: ride.code().code, at: "Museum")
        guard case .left(let fare) = try ride.passGate(code: ride.code().code, at: "Harbour") else {
            Issue.record("still in")
            return
        }
        #expect(fare.receipt == nil && !fare.isRecorded)
    }

    @Test("knows over a restart who is on a ride")
    func restart() throws {
        _ = try ride.passGate(code: ride.code().code, at: "Museum")
        let next = try App(storage: app.storage)
        let later = try next.center.requireApi(type: RideApiProtocol.self)
        #expect(later.enteredAt == "Museum")
        guard case .left = try later.passGate(code: later.code().code, at: "Harbour") else {
            Issue.record("in again")
            return
        }
    }

    @Test("listens to nothing any more when its app is over")
    func over() throws {
        let notifications = NotificationCenter(), storage = Storage.inMemory()
        weak var issuer: RideCodeIssuer?
        do {
            let center = ApiCenter(), made = RideCodeIssuer()
            issuer = made
            center.registerApi(type: Storage.self) { storage }
            center.registerApi(type: NotificationCenter.self) { notifications }
            center.registerApi(type: RideCodeIssuer.self) { made }
            try RideModule().register(in: center)
        }
        // Whoever listens has it, to issue another code.
        #expect(issuer == nil)
        withExtendedLifetime(notifications) {}
    }

    @Test("answers its route, to calls from outside too")
    func route() throws {
        let module = RideModule(), routes = module.routes(in: app.center)
        #expect(module.remoteRoutes == [RideRoute.main])
        #expect(try routes[RideRoute.main]?([:]) as? [String: String] == ["page": "RideVC"])
    }
}
