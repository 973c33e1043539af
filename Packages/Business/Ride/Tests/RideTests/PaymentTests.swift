import Foundation
import JourneyApi
import PayTypeApi
import RideApi
import Storage
import TestSupport
import Testing

@testable import Ride

extension App {
    /// Lets the operator fail each payment, or only those of rides that began at a station.
    func failPayments(_ error: PayTypeApiError = .unreachable("no signal"), from station: String? = nil) {
        payType.before = { [weak payType] call in
            guard call == "pay", station == nil || payType?.trips.last?.from == station else { return nil }
            return error
        }
    }
}

@Suite("The payment of a ride that has ended", .timeLimit(.minutes(10)), .waitLimit)
struct PaymentTests {
    let app: App
    let ride: any RideApiProtocol

    init() async throws {
        app = try await App()
        ride = try app.ride
    }

    private func pass(_ station: String) async throws(RideApiError) -> Passage {
        try await ride.passGate(code: ride.code().code, at: station)
    }

    /// The app's stored rides.
    private func saved() throws -> OpenRides? {
        try app.storage.document("rides", version: 3, default: RideService.Saved()).value["ann"]
    }

    @Test(
        "If another passenger logs in during the payment, the journey is saved for the one who paid",
        arguments: ["bob", nil])
    func anotherDuringPayment(next: String?) async throws {
        _ = try await pass("Museum")
        let code = try await ride.code().code
        app.payType.before = { [app] call in
            guard call == "pay" else { return nil }
            if let next { app.user.logIn(next) } else { app.user.logOut() }
            return nil
        }
        await #expect(throws: RideApiError.notLoggedIn) { try await ride.passGate(code: code, at: "Harbour") }
        #expect(app.journeys.journeys(of: "ann").map(\.to) == ["Harbour"])
        #expect(app.journeys.journeys.count == 1)
        #expect(app.payType.trips.map(\.passenger) == ["ann"])
    }

    @Test(
        "A payment whose outcome is unknown ends the ride, and is repeated with the same keys at the next passage",
        arguments: [PayTypeApiError.unreachable("no signal"), .outcomeUnknown("the server failed")])
    func unanswered(error: PayTypeApiError) async throws {
        _ = try await pass("Museum")
        app.failPayments(error)
        let thrown = await #expect(throws: RideApiError.self) { try await pass("Harbour") }
        guard case .paymentUnknown = thrown else {
            Issue.record("\(String(describing: thrown))")
            return
        }
        #expect(ride.enteredAt == nil && app.journeys.journeys.isEmpty)
        app.payType.before = nil
        #expect(try await pass("Old Town") == .entered(station: "Old Town"))
        try await app.settlePayments()
        let trips = app.payType.trips
        #expect(trips.count == 2 && trips[0] == trips[1])
        #expect(try saved()?.unpaid.isEmpty == true && app.journeys.journeys.map(\.to) == ["Harbour"])
        guard case .left = try await pass("University") else {
            Issue.record("the passenger is still inside")
            return
        }
        #expect(app.payType.trips.last?.key != trips[0].key)
    }

    @Test("The journey of a ride that is paid late has its place by the time of its exit")
    func paidLate() async throws {
        app.failPayments(from: "Museum")
        for station in ["Museum", "Harbour", "Old Town", "University"] {
            app.gate.now += 10
            _ = try? await pass(station)
        }
        try await app.settlePayments()
        #expect(app.journeys.journeys(limit: 9).map(\.to) == ["University"])
        app.payType.before = nil
        try await app.launch()
        #expect(app.journeys.journeys(limit: 9).map(\.to) == ["University", "Harbour"])
    }

    /// Takes two rides, neither of which is paid.
    private func twoDebts() async throws {
        app.failPayments()
        for station in ["Museum", "Harbour", "Old Town", "University"] { _ = try? await pass(station) }
        try await app.settlePayments()
        #expect(try saved()?.unpaid.map(\.ride.station) == ["Museum", "Old Town"])
    }

    @Test(
        "A ride whose payment always fails does not stop those of later rides",
        arguments: [
            PayTypeApiError.outcomeUnknown("the server failed"),
            .refused(name: "Balance", reason: "it is empty"),
        ])
    func oneFails(error: PayTypeApiError) async throws {
        try await twoDebts()
        app.failPayments(error, from: "Museum")
        try await app.launch()
        #expect(try saved()?.unpaid.map(\.ride.station) == ["Museum"])
        #expect(app.journeys.journeys.map(\.from) == ["Old Town"])
    }

    @Test("If the operator cannot be reached, the remaining payments wait for the next round")
    func outage() async throws {
        try await twoDebts()
        let count = app.payType.trips.count
        try await app.launch()
        #expect(app.payType.trips.dropFirst(count).map(\.from) == ["Museum"])
    }

    /// The cause of a PayType that cannot be built.
    private struct Broken: Error {}

    @Test(
        "A debt stays until it is paid, also in an app without PayType and in one whose PayType does not start",
        arguments: [true, false])
    func noPayType(isRegistered: Bool) async throws {
        _ = try await pass("Museum")
        app.failPayments()
        await #expect(throws: RideApiError.self) { try await pass("Harbour") }
        let next = try await App(storage: app.storage, gate: app.gate)
        next.center.removeApi(api: PayTypeApiProtocol.self)
        if isRegistered { next.center.register(PayTypeApiProtocol.self) { _ in throw Broken() } }
        try await next.launch()
        #expect(try saved()?.unpaid.count == 1 && next.journeys.journeys.isEmpty)
        next.center.replaceApi(type: PayTypeApiProtocol.self) { [payType = next.payType] in payType }
        try await next.launch()
        #expect(try saved() == nil && next.journeys.journeys.map(\.cents) == [300])
    }

    @Test("Without a debt, a launch does not build PayType")
    func noDebt() async throws {
        app.center.replaceApi(type: PayTypeApiProtocol.self) { _ in
            Issue.record("PayType is built")
            throw Broken()
        }
        try await app.launch()
    }

    @Test("A ride that ends while PayType does not start is not free: its payment is repeated")
    func brokenPayType() async throws {
        _ = try await pass("Museum")
        let code = try await ride.code().code
        app.center.removeApi(api: PayTypeApiProtocol.self)
        app.center.register(PayTypeApiProtocol.self) { _ in throw Broken() }
        let error = await #expect(throws: RideApiError.self) {
            try await ride.passGate(code: code, at: "Harbour")
        }
        guard case .paymentUnknown = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try saved()?.unpaid.count == 1 && app.journeys.journeys.isEmpty)
    }

    @Test("A ride is stored while its payment is in flight, and the next launch repeats the payment")
    func restart() async throws {
        _ = try await pass("Museum")
        let stored = Shared<Int?>(nil)
        app.gate.now += 10
        let left = app.gate.now
        app.payType.before = { call in
            guard call == "pay" else { return nil }
            stored.value = try? saved()?.unpaid.count
            return .unreachable("no signal")
        }
        await #expect(throws: RideApiError.self) { try await pass("Harbour") }
        #expect(stored.value == 1)
        let next = try await App(storage: app.storage, gate: app.gate)
        try await next.launch()
        #expect(try next.payType.trips == app.payType.trips && saved() == nil)
        #expect(
            next.journeys.journeys(of: "ann")
                == [Journey(from: "Museum", to: "Harbour", date: left, cents: 300)])
    }

    @Test("A payment that is still without an answer at the next entry is repeated at the next exit")
    func repeatedAtExit() async throws {
        let payments = AsyncStream<Void>.makeStream(), isLost = Shared(true)
        app.payType.before = { call in
            guard call == "pay" else { return nil }
            payments.continuation.yield()
            return isLost.value ? .unreachable("no signal") : nil
        }
        var asked = payments.stream.makeAsyncIterator()
        _ = try await pass("Museum")
        await #expect(throws: RideApiError.self) { try await pass("Harbour") }
        _ = try await pass("Old Town")
        for _ in 0..<2 { await asked.next() }
        isLost.value = false
        _ = try await pass("University")
        for _ in 0..<2 { await asked.next() }
        while try saved() != nil { await Task.yield() }
        #expect(Set(app.journeys.journeys.map(\.to)) == ["Harbour", "University"])
    }

    @Test("A ride whose repeated payment is refused stays unpaid, and so does one that begins meanwhile")
    func refusedRepeat() async throws {
        _ = try await pass("Museum")
        app.failPayments()
        await #expect(throws: RideApiError.self) { try await pass("Harbour") }
        app.failPayments(.refused(name: "Balance", reason: "it is empty"))
        _ = try await pass("Old Town")
        try await app.settlePayments()
        #expect(app.payType.trips.map(\.from) == ["Museum", "Museum"])
        #expect(try saved()?.unpaid.map(\.ride.station) == ["Museum"])
        await #expect(throws: RideApiError.paymentRefused("Balance: it is empty")) {
            try await pass("University")
        }
        let rides = try #require(try saved())
        #expect(rides.current?.station == "Old Town")
        #expect(rides.unpaid.map(\.ride.station) == ["Museum"])
    }

    @Test("If a refused payment cannot be saved, the ride has ended, and its payment is repeated")
    func refusalNotSaved() async throws {
        let folder = try TemporaryFolder(), data = folder.url.appending(path: "data")
        let moved = folder.url.appending(path: "moved")
        let app = try await App(storage: Storage(folder: data)), ride = try app.ride
        _ = try await ride.passGate(code: ride.code().code, at: "Museum")
        let code = try await ride.code().code
        app.payType.before = { call in
            guard call == "pay" else { return nil }
            do { try FileManager.default.moveItem(at: data, to: moved) } catch { Issue.record(error) }
            return .refused(name: "Balance", reason: "it is empty")
        }
        await #expect(throws: RideApiError.paymentUnknown("Balance: it is empty")) {
            try await ride.passGate(code: code, at: "Harbour")
        }
        #expect(ride.enteredAt == nil)
        try FileManager.default.moveItem(at: moved, to: data)
        app.payType.before = nil
        try await app.launch()
        #expect(app.payType.trips.count == 2 && app.journeys.journeys.map(\.to) == ["Harbour"])
    }

    @Test("If a passage cannot be saved after the gate has opened, the same code starts the ride later")
    func notSaved() async throws {
        let folder = try TemporaryFolder(), data = folder.url.appending(path: "data")
        let moved = folder.url.appending(path: "moved")
        let app = try await App(storage: Storage(folder: data)), ride = try app.ride
        let code = try await ride.code().code
        try FileManager.default.moveItem(at: data, to: moved)
        let error = await #expect(throws: RideApiError.self) {
            try await ride.passGate(code: code, at: "Museum")
        }
        guard case .notSaved = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        try FileManager.default.moveItem(at: moved, to: data)
        #expect(try await ride.passGate(code: code, at: "Museum") == .entered(station: "Museum"))
        #expect(app.gate.openings == 1)
    }
}
