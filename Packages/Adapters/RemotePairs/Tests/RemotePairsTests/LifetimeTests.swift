import Foundation
import RemotePairs
import TestSupport
import Testing

@Suite("Deadlines, cancellation and graceful stops", .oneAtATime, .waitLimit)
struct LifetimeTests {
    /// A door whose bell rings until the call is cancelled or `end` happens.
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

    @Test("A deadline ends the call on both sides")
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

    /// gRPC encodes 99 ms as about 98999000n, a timeout that grpc-swift-2 servers ignore.
    @Test("A deadline cancels the IMP when the caller has disappeared")
    func deadlineOfSilentCaller() async throws {
        let (front, cancelled) = (Shared<Front?>(nil), Moment())
        var door = TestDoor()
        door.onRing = { _ in
            front.value?.fallSilent()
            await Moment().wait()
            cancelled.happens()
        }
        try await Loopback.serve(
            door, calling: .deadline(.milliseconds(99)),
            through: front.open(before:)
        ) { loopback in
            // On a busy machine, the deadline may pass before the call has arrived.
            while front.value?.hasFallenSilent == false {
                await #expect(throws: DoorApiError.self) { try await loopback.door.ring(times: 1) }
            }
            await cancelled.wait()
            await front.value?.kill()
        }
    }

    @Test("Cancelling the caller cancels the IMP")
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

    @Test("Killing the caller cancels the IMP")
    func killedCaller() async throws {
        let (begun, cancelled) = (Moment(), Moment())
        let front = Shared<Front?>(nil)
        try await Loopback.serve(
            ringing(begun: begun, cancelled: cancelled),
            through: front.open(before:)
        ) { loopback in
            let call = Task { await thrown { try await loopback.door.ring(times: 1) } }
            await begun.wait()
            await front.value?.kill()
            #expect(await call.value is DoorApiError)
            await cancelled.wait()
        }
    }

    @Test("A call that is made before the connection runs waits for it")
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

    @Test("If the connection never runs, a call waits until its deadline", arguments: [true, false])
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

    @Test("A call on a stopped connection fails with an error that says so")
    func stopped() async throws {
        let connection = try await Loopback.serve(TestDoor()) { $0.connection }
        let error =
            await thrown {
                try await DoorRemoteClient(connection: connection).reset()
            } as? RemoteError
        #expect(error?.code == .unreachable)
        #expect(
            error?.detail == "the connection was stopped before the call. The call was not carried out.")
    }

    @Test("A stopping connection finishes its calls")
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

    @Test("A stopped connection ends its open streams after its deadline")
    func stoppedStream() async throws {
        var door = TestDoor()
        door.onPassages = { _ in AsyncThrowingStream { _ in } }
        try await Loopback.serve(door) { loopback in
            let connection = try RemoteConnection(
                to: RemoteAddresses(loopback.address), options: .deadline(.seconds(1)))
            let run = Task { try await connection.run() }
            let door = DoorRemoteClient(connection: connection)
            // On a busy machine, the deadline may pass before the stream is open.
            var stream: AsyncThrowingStream<DoorPassage, any Error>?
            while stream == nil { stream = try? await door.passages(at: "Zoo") }
            var iterator = try #require(stream).makeAsyncIterator()
            connection.stop()
            try await run.value
            await #expect(throws: RemoteError.self) { try await iterator.next() }
        }
    }

    @Test("Running a connection or a server twice throws, and the first run continues")
    func twice() async throws {
        try await Loopback.serve(TestDoor()) { loopback in
            // Once a call has been answered, the connection and the server are running.
            try await loopback.door.reset()
            for run in [loopback.connection.run, loopback.server.run] {
                let error = await thrown { try await run() } as? RemoteSetupError
                #expect(error?.description.contains("it has already been called") == true)
            }
            let code = try await loopback.door.code(for: "Mia")
            #expect(code.text == "code of Mia")
        }
    }

    @Test("A stopping server finishes calls and streams in progress")
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

    @Test("After the grace period, a stopping server cancels the remaining calls")
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

    @Test("A call that the server cancels fails as unreachable, and the server records it as cancelled")
    func cancelledByServer() async throws {
        let (begun, served) = (Moment(), Shared<[RemoteError.Code]>([]))
        var door = TestDoor()
        door.onReset = {
            begun.happens()
            await Moment().wait()
            try Task.checkCancellation()
        }
        var options = RemoteServer.Options.patient
        options.grace = .milliseconds(100)
        options.onCall = { record in
            if case .failed(let error) = record.outcome { served.update { $0.append(error.code) } }
        }
        try await Loopback.serve(door, options: options) { loopback in
            let call = Task { await thrown { try await loopback.door.reset() } }
            await begun.wait()
            loopback.server.stop()
            let error = try #require(await call.value as? RemoteError)
            #expect(error.code == .unreachable, "\(error)")
            #expect(error.detail.hasSuffix("The server may have carried out the call."))
        }
        #expect(served.value == [.cancelled])
    }
}
