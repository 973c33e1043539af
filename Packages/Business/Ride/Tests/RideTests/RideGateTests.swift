import ApiCenter
import ErrorCode
import Foundation
import GateApi
import GateApiFakes
import Lifecycle
import LoggerApi
import LoggerApiFakes
import Ride
import RideApi
import TestSupport
import Testing
import UserApi

@Suite("Ride's calls to a Gate that may be slow, unreachable or absent", .waitLimit)
struct RideGateTests {
    let app: App
    let ride: any RideApiProtocol

    init() async throws {
        app = try await App()
        ride = try app.ride
    }

    /// A hook that makes the Gate unreachable for a call.
    private func cut(_ call: String) -> FakeGate.Hook { { $0 == call ? .unreachable("no signal") : nil } }

    @Test(
        "A passage that begins after a notification waits until the Gate has ended the old code",
        arguments: [true, false])
    func order(logsOut: Bool) async throws {
        let old = try await ride.code().code
        app.gate.before = { call in
            guard call == "newCode" || call == "expireCode" else { return nil }
            for _ in 0..<100 { await Task.yield() }
            return nil
        }
        if logsOut {
            app.logOut()
            app.user.logIn("ann")
        } else {
            app.refreshCode()
        }
        await #expect(throws: RideApiError.codeRefused(logsOut ? .expired : .replaced)) {
            try await ride.passGate(code: old, at: "Museum")
        }
        #expect(try await ride.code().code != old)
    }

    @Test(
        "While the Gate cannot end the old code, Ride passes no gate; afterwards, the Gate refuses the old code"
    )
    func delayed() async throws {
        let old = try await ride.code().code
        app.gate.before = cut("newCode")
        app.refreshCode()
        for _ in 0..<2 {
            await #expect(throws: RideApiError.unreachable(ErrorCode.gateUnreachable.message)) {
                try await ride.passGate(code: old, at: "Museum")
            }
            await #expect(throws: RideApiError.unreachable(ErrorCode.gateUnreachable.message)) {
                try await ride.code()
            }
        }
        app.gate.before = nil
        await #expect(throws: RideApiError.codeRefused(.replaced)) {
            try await ride.passGate(code: old, at: "Museum")
        }
    }

    @Test(
        "The Gate ends the old code after a notification, also if nobody calls Ride again",
        arguments: [true, false])
    func unasked(logsOut: Bool) async throws {
        _ = try await ride.code()
        let (calls, call) = AsyncStream<String>.makeStream()
        app.gate.before = { name in
            call.yield(name)
            return nil
        }
        if logsOut { app.logOut() } else { app.refreshCode() }
        #expect(await calls.first { _ in true } == (logsOut ? "expireCode" : "newCode"))
    }

    @Test("Ride sends the Gate one update at a time, although notifications and calls ask for them together")
    func oneAtATime() async throws {
        _ = try await ride.code()
        let running = Shared(0), most = Shared(0)
        app.gate.before = { _ in
            running.update { $0 += 1 }
            most.update { $0 = max($0, running.value) }
            for _ in 0..<100 { await Task.yield() }
            running.update { $0 -= 1 }
            return nil
        }
        for _ in 0..<8 { app.refreshCode() }
        _ = try await ride.code()
        #expect(most.value == 1)
    }

    @Test("A refresh before the Gate has confirmed a log-out leaves the old code expired")
    func refreshAfterLogOut() async throws {
        let old = try await ride.code().code
        let error = RideApiError.unreachable(ErrorCode.gateUnreachable.message)
        app.gate.before = cut("expireCode")
        app.logOut()
        app.user.logIn("ann")
        await #expect(throws: error) { try await ride.code() }
        app.refreshCode()
        await #expect(throws: error) { try await ride.passGate(code: old, at: "Museum") }
        app.gate.before = nil
        await #expect(throws: RideApiError.codeRefused(.expired)) {
            try await ride.passGate(code: old, at: "Museum")
        }
    }

    @Test("A log-out while the Gate is replacing the code also expires the new code")
    func laterUpdate() async throws {
        _ = try await ride.code()
        app.gate.after = { [app] call in
            guard call == "newCode" else { return nil }
            app.gate.after = nil
            app.notifications.post(name: Notification.Name(UserNotification.sessionEnded), object: nil)
            return nil
        }
        let code = Shared<String?>(nil)
        app.gate.before = { [app] call in
            guard call == "expireCode" else { return nil }
            code.value = try? await app.gate.code(for: "ann").text
            return nil
        }
        app.refreshCode()
        await #expect(throws: RideApiError.codeRefused(.unknown)) {
            try await ride.passGate(code: "x", at: "Museum")
        }
        // The code that replaced the first one has expired with the session.
        let replaced = try #require(code.value)
        await #expect(throws: RideApiError.codeRefused(.expired)) {
            try await ride.passGate(code: replaced, at: "Museum")
        }
    }

    @Test("The passenger reads a sentence for passengers when the Gate is gone, and the log gets the reason")
    func goneGate() async throws {
        let log = FakeLogger()
        app.center.register(LoggerApiProtocol.self) { log }
        let reason = "Gate.code(for:) at 127.0.0.1:1: Channel is in a transient failure state"
        app.gate.before = { _ in .unreachable(reason) }
        await #expect(throws: RideApiError.unreachable(ErrorCode.gateUnreachable.message)) {
            try await ride.code()
        }
        #expect(log.recent(limit: 9) == ["warning The Gate cannot be reached: \(reason)"])
    }

    @Test("A decorated Ride still gets the app's events")
    func decorated() async throws {
        struct Decorator: RideApiProtocol {
            let inner: any RideApiProtocol
            var stations: [String] { inner.stations }
            var enteredAt: String? { inner.enteredAt }
            func code() async throws(RideApiError) -> RideTicket { try await inner.code() }
            func passGate(code: String, at station: String) async throws(RideApiError) -> Passage {
                try await inner.passGate(code: code, at: station)
            }
            func gateEvents(at station: String) -> AsyncThrowingStream<GateEvent, any Error> {
                inner.gateEvents(at: station)
            }
        }
        let old = try await ride.code().code
        app.center.replaceApi(type: RideApiProtocol.self) { [ride] in Decorator(inner: ride) }
        let calls = Shared<[String]>([])
        app.gate.before = { call in
            calls.value.append(call)
            return nil
        }
        // The event returns after the Gate has replaced the code.
        try await app.module.handle(.background, in: app.center)
        #expect(calls.value == ["newCode"])
        app.gate.before = nil
        await #expect(throws: RideApiError.codeRefused(.replaced)) {
            try await ride.passGate(code: old, at: "Museum")
        }
    }

    @Test("After a restart, a log-out expires the code from the last run")
    func restart() async throws {
        let old = try await ride.code().code
        let next = try await App(storage: app.storage, gate: app.gate)
        try await next.module.handle(.launch, in: next.center)
        next.logOut()
        next.user.logIn("ann")
        await #expect(throws: RideApiError.codeRefused(.expired)) {
            try await next.ride.passGate(code: old, at: "Museum")
        }
    }

    @Test("When the background event has been handled, the Gate has replaced the code")
    func background() async throws {
        let old = try await ride.code().code
        try await app.module.handle(.background, in: app.center)
        await #expect(throws: GateApiError.codeReplaced) {
            try await app.gate.pass(code: old, passenger: "ann", station: "Museum", key: "k")
        }
    }

    @Test("If the answer to a passage is lost, repeating the call starts the ride and opens no other gate")
    func lostAnswer() async throws {
        let code = try await ride.code().code
        app.gate.after = cut("pass")
        for _ in 0..<3 {
            await #expect(throws: RideApiError.unreachable(ErrorCode.gateUnreachable.message)) {
                try await ride.passGate(code: code, at: "Museum")
            }
        }
        #expect(ride.enteredAt == nil)
        app.gate.after = nil
        // The gate at Museum opened, although the passenger now shows the code at another station.
        #expect(try await ride.passGate(code: code, at: "Harbour") == .entered(station: "Museum"))
        #expect(app.gate.openings == 1)
        await #expect(throws: RideApiError.codeRefused(.used)) {
            try await ride.passGate(code: code, at: "Museum")
        }
        #expect(ride.enteredAt == "Museum")
    }

    @Test("If the answer to a passage is lost, only one of several concurrent repeats starts the ride")
    func concurrentRepeats() async throws {
        let code = try await ride.code().code
        app.gate.after = cut("pass")
        await #expect(throws: RideApiError.self) { try await ride.passGate(code: code, at: "Museum") }
        app.gate.after = nil
        let passages = await withTaskGroup { group in
            for _ in 0..<8 { group.addTask { [ride] in try? await ride.passGate(code: code, at: "Museum") } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(passages.compactMap(\.self) == [.entered(station: "Museum")])
    }

    @Test("If the Gate cannot save a passage, the passenger is asked to try again, and can use the same code")
    func notSaved() async throws {
        let log = FakeLogger()
        app.center.register(LoggerApiProtocol.self) { log }
        let code = try await ride.code().code
        app.gate.before = { _ in .notSaved("the disk is full") }
        await #expect(throws: RideApiError.unreachable(ErrorCode.gateUnreachable.message)) {
            try await ride.passGate(code: code, at: "Museum")
        }
        #expect(
            log.recent(limit: 9)
                == ["warning The Gate could not save a code or a passage: the disk is full"])
        app.gate.before = nil
        #expect(try await ride.passGate(code: code, at: "Museum") == .entered(station: "Museum"))
    }

    @Test("Without a Gate, Ride issues no code, passes no gate, and survives notifications and events")
    func absent() async throws {
        app.center.removeApi(api: GateApiProtocol.self)
        let error = RideApiError.unreachable("No gate answers: this app has no module named Gate.")
        await #expect(throws: error) { try await ride.code() }
        await #expect(throws: error) { try await ride.passGate(code: "x", at: "Museum") }
        app.refreshCode()
        try await app.module.handle(.background, in: app.center)
        app.logOut()
        #expect(ride.enteredAt == nil && !ride.stations.isEmpty)
    }
}
