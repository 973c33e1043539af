import Foundation
import RemotePairs
import TestSupport
import Testing

@Suite("Deadlines, cancellation and graceful stops", .oneAtATime)
struct LifetimeTests {
    /// A door whose bell rings until it is cancelled or `end` happens.
    private func ringing(
        begun: Moment, cancelled: Moment, end: Moment = Moment(), rings: Shared<Int> = Shared(0)
    ) -> TestDoor {
        var door = TestDoor()
        door.onRing = { _ in
            begun.happens()
            await end.wait()
            rings.value += 1
            if Task.isCancelled { cancelled.happens() }
        }
        return door
    }

    @Test("a deadline ends the call on both sides")
    func deadline() async throws {
        let (begun, cancelled) = (Shared(false), Moment())
        var door = TestDoor()
        door.onRing = { _ in
            begun.value = true
            await Moment().wait()
            if Task.isCancelled { cancelled.happens() }
        }
        try await Loopback.serve(
            door, calling: .deadline(.milliseconds(200))
        ) { loopback in
            // On a busy machine, the deadline may pass before the call has arrived.
            while !begun.value {
                let error = await thrown { try await loopback.door.ring(times: 1) } as? DoorApiError
                #expect(error?.text.contains("no answer arrived within 0.2 s") == true)
            }
            await cancelled.wait()
        }
    }

    @Test("cancelling the caller cancels the IMP")
    func cancellation() async throws {
        let (begun, cancelled) = (Moment(), Moment())
        try await Loopback.serve(ringing(begun: begun, cancelled: cancelled)) { loopback in
            let call = Task { await thrown { try await loopback.door.ring(times: 1) } }
            await begun.wait()
            call.cancel()
            let error = await call.value as? DoorApiError
            #expect(error?.text.contains("the calling task was cancelled") == true, "\(error as Any)")
            await cancelled.wait()
        }
    }

    @Test("a caller that is killed cancels the IMP")
    func killedCaller() async throws {
        let (begun, cancelled) = (Moment(), Moment())
        let front = Shared<Front?>(nil)
        try await Loopback.serve(
            ringing(begun: begun, cancelled: cancelled),
            through: {
                front.value = try await Front(before: $0)
                return front.value?.address ?? ""
            }
        ) { loopback in
            let call = Task { await thrown { try await loopback.door.ring(times: 1) } }
            await begun.wait()
            await front.value?.kill()
            #expect(await call.value is DoorApiError)
            await cancelled.wait()
        }
    }

    @Test("a call that is made before the connection runs waits for it")
    func beforeRun() async throws {
        try await Loopback.serve(TestDoor()) { loopback in
            let connection = try RemoteConnection(to: RemoteAddresses(loopback.address), options: .patient)
            let call = Task { try await DoorRemoteClient(connection: connection).code(for: "Mia") }
            await Task.yield()
            try await running(connection.run, stop: connection.stop) {
                let code = try await call.value
                #expect(code.text == "code of Mia")
            }
        }
    }

    @Test("a call waits for a connection that never runs until its deadline", arguments: [true, false])
    func neverRun(isRepeatable: Bool) async throws {
        let connection = try RemoteConnection(
            to: RemoteAddresses("127.0.0.1:1"), options: .deadline(.milliseconds(200)))
        let door = DoorRemoteClient(connection: connection)
        let error = await thrown {
            if isRepeatable {
                _ = try await door.pass(code: DoorCode(text: ""), passenger: "", station: nil, key: "")
            } else {
                try await door.reset()
            }
        }
        #expect("\(try #require(error))".contains("no answer arrived within 0.2 s"))
    }

    @Test("a call on a stopped connection says so")
    func stopped() async throws {
        let connection = try await Loopback.serve(TestDoor()) { $0.connection }
        let error =
            await thrown {
                try await DoorRemoteClient(connection: connection).reset()
            } as? RemoteError
        #expect(error?.code == .unreachable)
        #expect(error?.detail == "the connection was stopped before the call")
    }

    @Test("a stopping connection finishes its calls")
    func stoppingConnection() async throws {
        let (begun, end) = (Moment(), Moment())
        try await Loopback.serve(ringing(begun: begun, cancelled: Moment(), end: end)) { loopback in
            let call = Task { await thrown { try await loopback.door.ring(times: 1) } }
            await begun.wait()
            loopback.connection.stop()
            end.happens()
            #expect(await call.value == nil)
        }
    }

    @Test("a stopping server finishes calls and streams under way")
    func stoppingServer() async throws {
        let (begun, cancelled, end) = (Moment(), Moment(), Moment())
        let rings = Shared(0)
        var door = ringing(begun: begun, cancelled: cancelled, end: end, rings: rings)
        door.onPassages = { _ in
            AsyncThrowingStream(unfolding: {
                if rings.value > 0 { return nil }
                await end.wait()
                return DoorPassage(number: 1, passenger: "Mia", station: nil)
            })
        }
        try await Loopback.serve(door) { loopback in
            let call = Task { await thrown { try await loopback.door.ring(times: 1) } }
            var iterator = try await loopback.door.passages(at: "Zoo").makeAsyncIterator()
            await begun.wait()
            loopback.server.stop()
            end.happens()
            let error = await call.value
            #expect(error == nil, "\(error as Any)")
            #expect(try await iterator.next()?.number == 1)
            while try await iterator.next() != nil {}
        }
        #expect(rings.value == 1)
    }

    @Test("after the grace period, a stopping server cancels what is left")
    func grace() async throws {
        let (begun, cancelled) = (Moment(), Moment())
        var options = RemoteServer.Options.patient
        options.grace = .milliseconds(100)
        try await Loopback.serve(ringing(begun: begun, cancelled: cancelled), options: options) { loopback in
            let call = Task { await thrown { try await loopback.door.ring(times: 1) } }
            await begun.wait()
            loopback.server.stop()
            #expect(await call.value is DoorApiError)
            await cancelled.wait()
        }
    }
}
