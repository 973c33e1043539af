import Foundation
import NIOCore
import NIOPosix
import RemotePairs
import TestSupport
import Testing

@Suite("Network failures", .oneAtATime, .waitLimit)
struct NetworkTests {
    /// Runs `body` with a door behind a ``Front``. `use` receives the front during each call for a code or a passage.
    private func behindFront(
        calling: RemoteConnection.Options = .patient, use: @escaping @Sendable (Front) async -> Void,
        _ body: @escaping @Sendable (DoorRemoteClient) async throws -> Void
    ) async throws {
        let front = Shared<Front?>(nil)
        var door = TestDoor()
        door.onCode = { passenger throws(DoorApiError) in
            if let front = front.value { await use(front) }
            return DoorCode(text: passenger)
        }
        door.onPass = { passage throws(DoorApiError) in
            if let front = front.value { await use(front) }
            return passage
        }
        try await Loopback.serve(
            door, calling: calling,
            through: front.open(before:)
        ) { try await body($0.door) }
        await front.value?.kill()
    }

    @Test("A repeatable call whose answers are lost is sent again until an answer arrives", arguments: 0...3)
    func repeatable(lost: Int) async throws {
        let openings = Shared(0)
        try await behindFront { front in
            openings.value += 1
            if openings.value <= lost { await front.cut() }
        } _: { door in
            let passage = try await door.pass(
                code: DoorCode(text: ""), passenger: "Mia", station: nil, key: "k")
            #expect(passage.passenger == "Mia")
        }
        #expect(openings.value == lost + 1)
    }

    @Test("A repeatable call is sent at most four times")
    func fourTimes() async throws {
        let openings = Shared(0)
        try await behindFront { front in
            openings.value += 1
            await front.cut()
        } _: { door in
            _ = try? await door.pass(
                code: DoorCode(text: ""), passenger: "Mia", station: nil, key: "k")
        }
        #expect(openings.value == 4)
    }

    @Test("A call that is not repeatable is sent once, and fails as unreachable if its answer is lost")
    func once() async throws {
        let (calls, isLost) = (Shared(0), Shared(false))
        try await behindFront { front in
            calls.value += 1
            guard isLost.value else { return }
            isLost.value = false
            await front.cut()
        } _: { door in
            for round in 1...5 {
                isLost.value = true
                let error = await thrown { _ = try await door.code(for: "Mia") } as? DoorApiError
                #expect(
                    error?.text.contains("The server may have carried out the call") == true,
                    "\(error as Any)")
                _ = try await door.code(for: "Mia")
                #expect(calls.value == 2 * round)
            }
        }
    }

    @Test("A call to a server that has fallen silent ends at its deadline", arguments: [true, false])
    func silent(isRepeatable: Bool) async throws {
        try await behindFront(calling: .deadline(.milliseconds(300))) { front in
            front.fallSilent()
        } _: { door in
            let error =
                await thrown {
                    if isRepeatable {
                        _ = try await door.pass(
                            code: DoorCode(text: ""), passenger: "Mia", station: nil, key: "k")
                    } else {
                        _ = try await door.code(for: "Mia")
                    }
                } as? DoorApiError
            #expect(error?.text.contains("no answer arrived within 0.3 s") == true)
        }
    }

    @Test("The error for an absent server states its address, and calls succeed once the server runs")
    func absent() async throws {
        // The port is free after this server has stopped.
        let gone = try await Loopback.serve(TestDoor()) { $0.address }
        let connection = try RemoteConnection(to: RemoteAddresses(gone))
        try await running(connection.run, stop: connection.stop) {
            let door = DoorRemoteClient(connection: connection)
            let error = try #require(await thrown { try await door.reset() } as? RemoteError)
            #expect(error.code == .unreachable)
            #expect("\(error)".hasPrefix("Door.reset() at \(gone): "))
            #expect("\(error)".contains("refused"))
            #expect(error.detail.hasSuffix(" The call was not carried out."))
            let server = try RemoteServer([DoorRemote.service(TestDoor())], on: RemoteAddresses(gone))
            try await running(server.run, stop: server.stop) {
                _ = try await server.address
                let clock = ContinuousClock.now
                while await thrown({ try await door.reset() }) != nil, clock.duration(to: .now) < .seconds(30)
                {
                    await Task.yield()
                }
                try await door.reset()
            }
        }
    }

    /// Simulates a suspended server process, for which the kernel still accepts connections.
    @Test("If an address accepts connections but does not answer, the next address is used")
    func frozen() async throws {
        let frozen = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.autoRead, value: false).bind(host: "127.0.0.1", port: 0).get()
        let port = frozen.localAddress?.port ?? 0
        try await Loopback.serve(
            TestDoor(), calling: .deadline(.seconds(30)), through: { "127.0.0.1:\(port),\($0)" }
        ) { loopback in
            let code = try await loopback.door.code(for: "Mia")
            #expect(code.text == "code of Mia")
        }
        try await frozen.close()
    }

    @Test(
        "A quiet stream survives the pings, and ends when the server falls silent",
        .enabled(if: TestLevel.isDeep, "runs with Scripts/test --third-party"))
    func pings() async throws {
        let front = Shared<Front?>(nil)
        let passages = AsyncThrowingStream.makeStream(of: DoorPassage.self)
        var door = TestDoor()
        door.onPassages = { _ in passages.stream }
        door.onRing = { _ in await Moment().wait() }
        try await Loopback.serve(
            door, calling: .deadline(.seconds(45)),
            through: front.open(before:)
        ) { loopback in
            var quiet = try await loopback.door.passages(at: "Zoo").makeAsyncIterator()
            // This call lasts until its deadline.
            await #expect(throws: DoorApiError.self) { try await loopback.door.ring(times: 1) }
            passages.continuation.yield(DoorPassage(number: 1, passenger: "Mia", station: nil))
            #expect(try await quiet.next()?.number == 1)
            front.value?.fallSilent()
            await #expect(throws: RemoteError.self) { try await quiet.next() }
            await front.value?.kill()
        }
    }

    @Test(
        "When a server in the list dies, the calls go to the next one",
        arguments: [RemoteBalancing.first, .roundRobin])
    func failover(balancing: RemoteBalancing) async throws {
        var second = TestDoor()
        second.onCode = { _ in DoorCode(text: "second") }
        var first = TestDoor()
        first.onCode = { _ in DoorCode(text: "first") }
        var options = RemoteConnection.Options.patient
        options.balancing = balancing
        try await Loopback.serve(second) { [first, options] other in
            let front = Shared<Front?>(nil)
            try await Loopback.serve(
                first, calling: options,
                through: { "\(try await front.open(before: $0)),\(other.address)" }
            ) { loopback in
                var texts = Set<String>()
                for _ in 0..<50 { texts.insert(try await loopback.door.code(for: "Mia").text) }
                if balancing == .first {
                    #expect(texts == ["first"])
                } else {
                    while texts.count < 2 { texts.insert(try await loopback.door.code(for: "Mia").text) }
                }
                await front.value?.kill()
                // Calls that were in flight when the server died may fail.
                var answers = Set<String>()
                while answers.isEmpty {
                    if let text = try? await loopback.door.code(for: "Mia").text { answers.insert(text) }
                }
                for _ in 0..<10 { answers.insert(try await loopback.door.code(for: "Mia").text) }
                #expect(answers == ["second"])
            }
        }
    }
}
