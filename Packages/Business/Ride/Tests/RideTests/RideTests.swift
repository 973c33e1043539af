import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import JourneyApi
import Lifecycle
import PayTypeApi
import Ride
import RideApi
import RideCode
import SDKManagerApi
import ServiceOpenApi
import Storage
import TestSupport
import Testing

@Suite("Ride")
struct RideTests {
    let app: App
    let ride: any RideApiProtocol

    init() throws {
        app = try App()
        ride = try app.center.requireApi(type: RideApiProtocol.self)
    }

    @Test("Ride lets a passenger in, lets the passenger out for the fare, and saves the journey")
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
        "A ride costs €2.00 for the first stop and €0.50 for each further one, in both directions",
        arguments: [
            ("Museum", "Museum", 200), ("Museum", "Old Town", 200), ("South Gate", "North Gate", 400),
        ])
    func fares(from: String, to: String, cents: Int) throws {
        _ = try ride.passGate(code: ride.code().code, at: from)
        guard case .left(let fare) = try ride.passGate(code: ride.code().code, at: to) else {
            Issue.record("the passenger is still inside")
            return
        }
        #expect(fare.cents == cents)
    }

    @Test("Ride returns the same code until a gate has accepted it, and then a new one")
    func codes() throws {
        let first = try ride.code()
        #expect(try ride.code() == first)
        _ = try ride.passGate(code: first.code, at: "Museum")
        #expect(try ride.code() != first)
        #expect(throws: RideApiError.codeRefused(.used)) { try ride.passGate(code: first.code, at: "Museum") }
        #expect(ride.enteredAt == "Museum")
    }

    @Test("Ride refuses an expired code and issues a new one")
    func expired() throws {
        let old = try ride.code()
        app.time.value += 61
        #expect(throws: RideApiError.codeRefused(.expired)) {
            try ride.passGate(code: old.code, at: "Museum")
        }
        #expect(throws: Never.self) { try ride.passGate(code: ride.code().code, at: "Museum") }
    }

    @Test("When two gates are used at the same time, one ends the ride and the other starts a new one")
    func twoGates() throws {
        // While the first gate takes the fare, the second gate reads the next code.
        _ = try ride.passGate(code: ride.code().code, at: "Museum")
        let second = Shared<Passage?>(nil)
        app.whilePaying.value = { [app] in
            app.whilePaying.value = nil
            guard let ride = app.center.api(type: RideApiProtocol.self) else { return }
            second.value = try? ride.passGate(code: ride.code().code, at: "Harbour")
        }
        guard case .left = try ride.passGate(code: ride.code().code, at: "Old Town") else {
            Issue.record("the first gate did not let the passenger out")
            return
        }
        #expect(second.value == .entered(station: "Harbour"))
        #expect(app.kept.value.map(\.to) == ["Old Town"])
    }

    @Test("Ride replaces the code when the refresh notification is posted")
    func refresh() throws {
        let old = try ride.code()
        app.notifications.post(name: Notification.Name(RideNotification.refreshCode), object: nil)
        #expect(throws: RideApiError.codeRefused(.replaced)) {
            try ride.passGate(code: old.code, at: "Museum")
        }
        #expect(try ride.code() != old)
    }

    @Test("Ride replaces the code when the app goes to the background, but not on other lifecycle events")
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

    @Test("Ride refuses unknown codes and unknown stations")
    func unknown() throws {
        #expect(throws: RideApiError.codeRefused(.unknown)) { try ride.passGate(code: "x", at: "Museum") }
        let code = try ride.code().code
        #expect(throws: RideApiError.unknownStation("Atlantis")) {
            try ride.passGate(code: code, at: "Atlantis")
        }
        #expect(throws: Never.self) { try ride.passGate(code: code, at: "Museum") }
    }

    @Test("Ride keeps the gate closed and continues the ride when the payment of the fare is refused")
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

    @Test("Ride issues no code without a login, an open service and a selected payment method")
    func preconditions() {
        app.hasPicked.value = false
        #expect(throws: RideApiError.noPayType) { try ride.code() }
        app.isOpen.value = false
        #expect(throws: RideApiError.serviceNotOpen) { try ride.code() }
        app.user.value = nil
        #expect(throws: RideApiError.notLoggedIn) { try ride.code() }
    }

    @Test("Ride expires a passenger's current code when the passenger's session ends")
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

    @Test("Ride discards a code if the passenger logs out while Ride is issuing the code")
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

    @Test("Ride keeps the code of a new session when a code request of the old session fails")
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
        "Ride charges nobody and continues the ride if the session changes while the gate opens",
        arguments: ["bob", nil])
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

    @Test("Ride refuses another passenger's code")
    func somebodyElse() throws {
        let code = try ride.code().code
        app.user.value = "bob"
        #expect(throws: RideApiError.notLoggedIn) { try ride.passGate(code: code, at: "Museum") }
        app.user.value = "ann"
        #expect(throws: Never.self) { try ride.passGate(code: code, at: "Museum") }
    }

    @Test("Without ServiceOpen, PayType and Journey, Ride opens gates but gives no receipt")
    func cropped() throws {
        app.center.removeApi(api: ServiceOpenApiProtocol.self)
        app.center.removeApi(api: PayTypeApiProtocol.self)
        app.center.removeApi(api: JourneyApiProtocol.self)
        _ = try ride.passGate(code: ride.code().code, at: "Museum")
        guard case .left(let fare) = try ride.passGate(code: ride.code().code, at: "Harbour") else {
            Issue.record("the passenger is still inside")
            return
        }
        #expect(fare.receipt == nil && !fare.isRecorded)
    }

    @Test("Ride remembers a ride in progress across a restart")
    func restart() throws {
        _ = try ride.passGate(code: ride.code().code, at: "Museum")
        let next = try App(storage: app.storage)
        let later = try next.center.requireApi(type: RideApiProtocol.self)
        #expect(later.enteredAt == "Museum")
        guard case .left = try later.passGate(code: later.code().code, at: "Harbour") else {
            Issue.record("the gate let the passenger in again")
            return
        }
    }

    @Test("Ride stops observing notifications when its ApiCenter is deallocated")
    func over() throws {
        let notifications = NotificationCenter(), storage = Storage.inMemory()
        weak var issuer: RideCodeIssuer?
        do {
            let center = ApiCenter(), made = RideCodeIssuer()
            issuer = made
            center.register(APIService.self) {
                APIService(client: StubAPIClient { _ in .text("") }, config: APIConfig())
            }
            center.register(Storage.self) { storage }
            center.register(NotificationCenter.self) { notifications }
            center.register(RideCodeIssuer.self) { made }
            try RideModule().register(in: center)
        }
        // An observer that is still registered would retain the issuer.
        #expect(issuer == nil)
        withExtendedLifetime(notifications) {}
    }

    @Test("The events of a station's gates arrive as a stream, which fails without a server or a station")
    func gateEvents() async throws {
        func events(at station: String) async throws -> [GateEvent] {
            try await ride.gateEvents(at: station).reduce(into: []) { $0.append($1) }
        }
        await #expect(throws: RideApiError.self) { try await events(at: "Old Town") }
        let server = SDKConfiguration(
            appID: "a", baseURL: try #require(URL(string: "https://transit.example")))
        app.center.register(SDKManagerApiProtocol.self) { SDKManager(configuration: server) }
        #expect(try await events(at: "Old Town") == [.opened, .closed])
        await #expect(throws: RideApiError.unknownStation("Moon")) { try await events(at: "Moon") }
        let error = await #expect(throws: RideApiError.self) { try await events(at: "Museum") }
        #expect(error == .unreachable("The server cannot answer now; please try again later (status 404)."))
    }

    @Test("Ride's action returns the stations and may be called from outside the app")
    func action() throws {
        let offers = RideModule().offers(in: app.center)
        let stations = try #require(
            offers.first(.action(target: RideAction.target, action: RideAction.stations)))
        #expect(stations.callers == .outside)
        #expect(try stations.call() as? [String] == ride.stations)
    }

    @Test("Ride's route returns its page and may be called from outside the app")
    func route() throws {
        let main = try #require(RideModule().offers(in: app.center).first(.route(RideRoute.main)))
        #expect(main.callers == .outside)
        #expect(try main.call() as? [String: String] == ["page": "RideVC"])
    }
}
