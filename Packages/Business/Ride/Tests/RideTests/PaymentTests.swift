import Foundation
import GateApi
import JourneyApi
import PayTypeApi
import RideApi
import Storage
import TestSupport
import Testing

@testable import Ride

extension App {
    /// Returns a function that waits until the next payment has been asked for.
    func nextPayment() -> () async -> Void {
        let (payments, continuation) = AsyncStream<Void>.makeStream()
        payType.before = { call in
            if call == "pay" { continuation.finish() }
            return nil
        }
        return { for await _ in payments {} }
    }

    /// Lets the operator leave each payment without an answer.
    func losePayments() { payType.before = { $0 == "pay" ? .unreachable("no signal") : nil } }
}

@Suite("The payment of a ride that has ended", .timeLimit(.minutes(10)))
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

    @Test("A payment without an answer ends the ride, and is repeated with the same keys at the next passage")
    func unanswered() async throws {
        _ = try await pass("Museum")
        app.losePayments()
        await #expect(throws: RideApiError.paymentUnknown("no signal")) { try await pass("Harbour") }
        #expect(ride.enteredAt == nil && app.journeys.journeys.isEmpty)
        let paid = app.nextPayment()
        #expect(try await pass("Old Town") == .entered(station: "Old Town"))
        await paid()
        let trips = app.payType.trips
        #expect(trips.count == 2 && trips[0] == trips[1])
        guard case .left = try await pass("University") else {
            Issue.record("the passenger is still inside")
            return
        }
        #expect(app.payType.trips.last?.key != trips[0].key)
        #expect(app.journeys.journeys.contains { $0.to == "University" })
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
        let paid = next.nextPayment()
        try await next.module.handle(.launch, in: next.center)
        await paid()
        #expect(next.payType.trips == app.payType.trips)
        while try saved() != nil { await Task.yield() }
        #expect(
            next.journeys.journeys(of: "ann")
                == [Journey(from: "Museum", to: "Harbour", date: left, cents: 300)])
    }

    @Test("A ride whose repeated payment is refused stays unpaid, and so does one that begins meanwhile")
    func refusedRepeat() async throws {
        _ = try await pass("Museum")
        app.losePayments()
        await #expect(throws: RideApiError.self) { try await pass("Harbour") }
        app.payType.before = { $0 == "pay" ? .refused(name: "Balance", reason: "it is empty") : nil }
        _ = try await pass("Old Town")
        await #expect(throws: RideApiError.paymentRefused("Balance: it is empty")) {
            try await pass("University")
        }
        let rides = try #require(try saved())
        #expect(rides.current?.station == "Old Town")
        #expect(rides.unpaid.map(\.ride.station) == ["Museum"])
    }

    @Test("A refused ride continues, but not in place of one that has begun since")
    func resume() {
        func passage(_ key: String) -> GatePassage {
            GatePassage(passenger: "ann", station: key, date: .distantPast, key: key)
        }
        var rides = OpenRides()
        #expect(rides.pass(passage("a")) == nil)
        guard let first = rides.pass(passage("b")) else {
            Issue.record("the ride has not ended")
            return
        }
        _ = rides.pass(passage("c"))
        rides.resume(first)
        #expect(rides.current?.key == "c" && rides.unpaid == [first])
        let second = rides.pass(passage("d"))
        rides.resume(first)
        #expect(rides.current?.key == "a" && rides.unpaid == [second])
        // A repeat that the operator has answered in the meantime.
        rides.remove(first)
        #expect(rides.current == nil && rides.unpaid == [second])
        rides.resume(first)
        #expect(rides.current == nil)
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
