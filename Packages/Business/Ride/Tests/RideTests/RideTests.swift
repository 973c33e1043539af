import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import GateApi
import GateApiFakes
import JourneyApi
import Lifecycle
import Links
import Pages
import PayTypeApi
import RideApi
import ServiceOpenApi
import Storage
import TestSupport
import Testing

@testable import Ride

@Suite("Ride", .waitLimit)
struct RideTests {
    let app: App
    let ride: any RideApiProtocol

    init() async throws {
        app = try await App()
        ride = try app.ride
    }

    @Test("Ride lets a passenger in, lets the passenger out for the fare, and saves the journey")
    func inAndOut() async throws {
        #expect(try await ride.passGate(code: ride.code().code, at: "Museum") == .entered(station: "Museum"))
        #expect(ride.enteredAt == "Museum")
        let passage = try await ride.passGate(code: ride.code().code, at: "University")
        #expect(
            passage
                == .left(
                    Fare(
                        from: "Museum", to: "University", cents: 300, receipt: "Museum - University",
                        isRecorded: true)))
        #expect(ride.enteredAt == nil)
        #expect(app.journeys.journeys.map(\.to) == ["University"])
    }

    @Test("Ride returns the same code until a gate has accepted it, and then a new one")
    func codes() async throws {
        let first = try await ride.code()
        #expect(try await ride.code() == first)
        _ = try await ride.passGate(code: first.code, at: "Museum")
        #expect(try await ride.code() != first)
        await #expect(throws: RideApiError.codeRefused(.used)) {
            try await ride.passGate(code: first.code, at: "Museum")
        }
        #expect(ride.enteredAt == "Museum")
    }

    @Test("Ride refuses an expired code and issues a new one")
    func expired() async throws {
        let old = try await ride.code()
        app.gate.now += 61
        await #expect(throws: RideApiError.codeRefused(.expired)) {
            try await ride.passGate(code: old.code, at: "Museum")
        }
        await #expect(throws: Never.self) { try await ride.passGate(code: ride.code().code, at: "Museum") }
    }

    @Test("When two gates are used at the same time, one ends the ride and the other starts a new one")
    func twoGates() async throws {
        // The second gate reads the next code before Ride receives the Gate's answer for the first.
        _ = try await ride.passGate(code: ride.code().code, at: "Museum")
        let first = try await ride.code().code, second = Shared<Passage?>(nil)
        app.gate.after = { [app, ride] call in
            guard call == "pass" else { return nil }
            app.gate.after = nil
            second.value = try? await ride.passGate(code: ride.code().code, at: "Harbour")
            return nil
        }
        #expect(
            try await ride.passGate(code: first, at: "Old Town") == .entered(station: "Old Town"))
        guard case .left = second.value else {
            Issue.record("the second gate did not let the passenger out")
            return
        }
        #expect(app.journeys.journeys.map(\.to) == ["Harbour"])
    }

    @Test("Ride replaces the code when the refresh notification is posted")
    func refresh() async throws {
        let old = try await ride.code()
        app.refreshCode()
        await #expect(throws: RideApiError.codeRefused(.replaced)) {
            try await ride.passGate(code: old.code, at: "Museum")
        }
        #expect(try await ride.code() != old)
    }

    @Test("Ride replaces the code when the app goes to the background, but not on other lifecycle events")
    func background() async throws {
        let module = app.module, old = try await ride.code()
        for event in [LifecycleEvent.launch, .active, .memoryWarning] {
            try await module.handle(event, in: app.center)
        }
        #expect(try await ride.code() == old)
        try await module.handle(.background, in: app.center)
        await #expect(throws: RideApiError.codeRefused(.replaced)) {
            try await ride.passGate(code: old.code, at: "Museum")
        }
    }

    @Test("Ride refuses unknown codes and unknown stations")
    func unknown() async throws {
        await #expect(throws: RideApiError.codeRefused(.unknown)) {
            try await ride.passGate(code: "x", at: "Museum")
        }
        let code = try await ride.code().code
        await #expect(throws: RideApiError.unknownStation("Atlantis")) {
            try await ride.passGate(code: code, at: "Atlantis")
        }
        await #expect(throws: Never.self) { try await ride.passGate(code: code, at: "Museum") }
    }

    @Test("Ride continues the ride when the payment is refused, although the gate has opened")
    func refused() async throws {
        _ = try await ride.passGate(code: ride.code().code, at: "Museum")
        app.payType.before = { $0 == "pay" ? .refused(name: "Balance", reason: "it is empty") : nil }
        await #expect(throws: RideApiError.paymentRefused("Balance: it is empty")) {
            try await ride.passGate(code: ride.code().code, at: "Harbour")
        }
        #expect(ride.enteredAt == "Museum")
        #expect(app.journeys.journeys.isEmpty)
        app.payType.before = nil
        await #expect(throws: Never.self) { try await ride.passGate(code: ride.code().code, at: "Harbour") }
        #expect(ride.enteredAt == nil)
        // Both attempts are payments for one ride, so that the operator takes the fare once.
        #expect(app.payType.trips.count == 2 && Set(app.payType.trips.map(\.key)).count == 1)
        _ = try await ride.passGate(code: ride.code().code, at: "Museum")
        _ = try await ride.passGate(code: ride.code().code, at: "Harbour")
        #expect(Set(app.payType.trips.map(\.key)).count == 2)
        // Each attempt names the passage of its own exit.
        #expect(Set(app.payType.trips.map(\.exit)).count == 3)
    }

    @Test("Ride continues a ride that an older version of the app has begun", arguments: [1, 2])
    func olderVersion(version: Int) async throws {
        let folder = try TemporaryFolder()
        do {
            let storage = try Storage(folder: folder.url)
            if version == 1 {
                try storage.document("rides", version: 1, default: [String: String]())
                    .update { $0["ann"] = "Museum" }
            } else {
                try storage.document("rides", version: 2, default: [String: [String: String]]())
                    .update { $0["ann"] = ["station": "Museum", "key": "k"] }
            }
        }
        let app = try await App(storage: Storage(folder: folder.url))
        let ride = try app.ride
        #expect(ride.enteredAt == "Museum")
        guard case .left(let fare) = try await ride.passGate(code: ride.code().code, at: "Harbour") else {
            Issue.record("the gate let the passenger in again")
            return
        }
        #expect(fare.from == "Museum")
        if version == 2 { #expect(app.payType.trips.map(\.key) == ["k"]) }
    }

    @Test("Ride issues a code only with a login, an open service and a selected payment method")
    func preconditions() async {
        app.payType.setSelected(nil)
        await #expect(throws: RideApiError.noPayType) { try await ride.code() }
        app.service.isOpen = false
        await #expect(throws: RideApiError.serviceNotOpen) { try await ride.code() }
        app.user.logOut()
        await #expect(throws: RideApiError.notLoggedIn) { try await ride.code() }
    }

    @Test("Ride expires a passenger's current code when the passenger's session ends")
    func loggedOut() async throws {
        let old = try await ride.code().code
        app.logOut()
        app.refreshCode()
        app.user.logIn("ann")
        await #expect(throws: RideApiError.codeRefused(.expired)) {
            try await ride.passGate(code: old, at: "Museum")
        }
        let new = try await ride.code().code
        #expect(new != old)
        await #expect(throws: Never.self) { try await ride.passGate(code: new, at: "Museum") }
    }

    @Test("Ride discards a code if the passenger logs out while Ride is issuing the code")
    func loggedOutMeanwhile() async throws {
        app.payType.before = { [app] _ in
            app.payType.before = nil
            app.logOut()
            return nil
        }
        let calls = Shared<[String]>([])
        app.gate.before = { call in
            calls.update { $0.append(call) }
            return nil
        }
        await #expect(throws: RideApiError.notLoggedIn) { try await ride.code() }
        app.gate.now += 30
        app.user.logIn("ann")
        #expect(try await ride.code().expires == app.gate.now + 60)
        // The Gate was not asked for a code of a passenger who has logged out.
        #expect(calls.value == ["code", "expireCode", "code"])
    }

    @Test("Ride keeps the code of a new session when a code request from the old session fails")
    func loggedInAgainMeanwhile() async throws {
        let new = Shared<String?>(nil)
        app.gate.before = { [app, ride] call in
            guard call == "code" else { return nil }
            app.gate.before = nil
            app.logOut()
            app.user.logIn("ann")
            new.value = try? await ride.code().code
            return nil
        }
        await #expect(throws: RideApiError.notLoggedIn) { try await ride.code() }
        let code = try #require(new.value)
        _ = try await ride.passGate(code: code, at: "Museum")
    }

    @Test(
        "If the session changes while the gate opens, nobody else pays, and the ride is paid when its passenger rides again",
        arguments: ["bob", nil])
    func anotherMeanwhile(other: String?) async throws {
        _ = try await ride.passGate(code: ride.code().code, at: "Museum")
        let code = try await ride.code().code
        app.gate.after = { [app] _ in
            if let other { app.user.logIn(other) } else { app.user.logOut() }
            return nil
        }
        app.payType.before = { call in
            if call == "pay" { Issue.record("\(other ?? "nobody") pays") }
            return nil
        }
        await #expect(throws: RideApiError.notLoggedIn) { try await ride.passGate(code: code, at: "Harbour") }
        app.gate.after = nil
        #expect(app.journeys.journeys.isEmpty)
        app.user.logIn("ann")
        #expect(ride.enteredAt == nil)
        app.payType.before = nil
        _ = try await ride.passGate(code: ride.code().code, at: "Old Town")
        try await app.settlePayments()
        #expect(app.payType.trips.map(\.to) == ["Harbour"] && ride.enteredAt == "Old Town")
    }

    @Test("Ride refuses another passenger's code")
    func somebodyElse() async throws {
        let code = try await ride.code().code
        app.user.logIn("bob")
        await #expect(throws: RideApiError.notLoggedIn) { try await ride.passGate(code: code, at: "Museum") }
        app.user.logIn("ann")
        await #expect(throws: Never.self) { try await ride.passGate(code: code, at: "Museum") }
    }

    @Test("Without ServiceOpen, PayType and Journey, Ride opens gates but gives no receipt")
    func cropped() async throws {
        app.center.removeApi(api: ServiceOpenApiProtocol.self)
        app.center.removeApi(api: PayTypeApiProtocol.self)
        app.center.removeApi(api: JourneyApiProtocol.self)
        _ = try await ride.passGate(code: ride.code().code, at: "Museum")
        guard case .left(let fare) = try await ride.passGate(code: ride.code().code, at: "Harbour") else {
            Issue.record("the passenger is still inside")
            return
        }
        #expect(fare.receipt == nil && fare.cents == nil && !fare.isRecorded)
    }

    @Test("Ride remembers a ride in progress across a restart")
    func restart() async throws {
        _ = try await ride.passGate(code: ride.code().code, at: "Museum")
        let next = try await App(storage: app.storage)
        let later = try next.center.requireApi(type: RideApiProtocol.self)
        #expect(later.enteredAt == "Museum")
        guard case .left = try await later.passGate(code: later.code().code, at: "Harbour") else {
            Issue.record("the gate let the passenger in again")
            return
        }
    }

    @Test(
        "A call in flight while the app is torn down throws, and leaves nothing behind",
        arguments: ["code", "pass"])
    func tornDown(during name: String) async throws {
        let gate = FakeGate()
        var app: App? = try await App(gate: gate)
        weak let center = app?.center
        weak var alive: RideService?
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let (left, leave) = AsyncStream<Void>.makeStream()
        let call: Task<Void, any Error>
        do {
            let ride = try #require(try app?.ride)
            alive = ride as? RideService
            #expect(alive != nil)
            let code = try await ride.code().code
            gate.before = { call in
                if call != name { return nil }
                enter.finish()
                for await _ in left {}
                return nil
            }
            call = Task { [ride] in
                if name == "code" {
                    _ = try await ride.code()
                } else {
                    _ = try await ride.passGate(code: code, at: "Museum")
                    _ = try await ride.code()
                }
            }
        }
        for await _ in entered {}
        app = nil
        #expect(center == nil)
        leave.finish()
        await #expect(throws: RideApiError.notLoggedIn) { try await call.value }
        #expect(alive == nil)
    }

    @Test("Ride stops observing notifications when its ApiCenter is deallocated")
    func over() async throws {
        let notifications = NotificationCenter()
        weak var queue: GateQueue?
        do {
            let center = ApiCenter()
            center.register(APIService.self) {
                APIService(client: StubAPIClient { _ in .text("") }, config: .forTests())
            }
            center.register(Storage.self) { .inMemory() }
            center.register(NotificationCenter.self) { notifications }
            let module = RideModule()
            module.register(in: center)
            try await module.prepare(in: center)
            queue = (try center.requireApi(type: RideApiProtocol.self) as? RideService)?.gate
            #expect(queue != nil)
        }
        // An observer that is still registered would retain the queue.
        #expect(queue == nil)
        withExtendedLifetime(notifications) {}
    }

    @Test("Ride's action returns the stations and may be called from outside the app")
    func action() throws {
        let links = RideModule().links(in: app.center)
        let stations = try #require(
            links.first(.action(target: RideAction.target, action: RideAction.stations)))
        #expect(stations.callers == .outside)
        #expect(try stations.call() as? [String] == ride.stations)
    }
}
