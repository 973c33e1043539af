import Foundation
import RemotePairs
import TestSupport
import Testing

/// The sample Api has requirements of every kind. Its client and its service have the form of generated code.
@Suite("Calls to a pair in another process", .oneAtATime, .waitLimit)
struct CallTests {
    @Test("Arguments and results arrive unchanged, nil included", arguments: ["Zoo", nil] as [String?])
    func values(station: String?) async throws {
        try await Loopback.serve(TestDoor()) { loopback in
            let door: any DoorApiProtocol = loopback.door
            #expect(try await door.code(for: "Mia 🚇 \"/\"") == DoorCode(text: "code of Mia 🚇 \"/\""))
            let passage = try await door.pass(
                code: DoorCode(text: "1"), passenger: "Mia", station: station, key: "k")
            #expect(passage == DoorPassage(number: 1, passenger: "Mia", station: station))
        }
    }

    @Test("A typed error that the IMP throws arrives unchanged", arguments: [1.5, .infinity])
    func typedErrors(until: Double) async throws {
        var door = TestDoor()
        door.onCode = { _ throws(DoorApiError) in throw .closed(until: until) }
        door.onRing = { _ throws(DoorApiError) in throw .unknownCode }
        try await Loopback.serve(door) { loopback in
            await #expect(throws: DoorApiError.closed(until: until)) {
                try await loopback.door.code(for: "Mia")
            }
            await #expect(throws: DoorApiError.unknownCode) { try await loopback.door.ring(times: 2) }
        }
    }

    @Test("A call without a result reaches the IMP")
    func void() async throws {
        let rung = Shared(0)
        var door = TestDoor()
        door.onRing = { rung.value += $0 }
        door.onReset = { rung.value = -1 }
        try await Loopback.serve(door) { loopback in
            try await loopback.door.ring(times: 3)
            #expect(rung.value == 3)
            try await loopback.door.reset()
            #expect(rung.value == -1)
        }
    }

    @Test("An error that the Api does not declare arrives as a RemoteError with its text")
    func undeclaredErrors() async throws {
        var door = TestDoor()
        door.onReset = { throw TestDoor.Undeclared() }
        try await Loopback.serve(door) { loopback in
            let error = try #require(await thrown { try await loopback.door.reset() } as? RemoteError)
            #expect(error.code == .failed)
            #expect(
                "\(error)" == """
                    Door.reset() at \(loopback.address): the IMP threw Undeclared(). Declare the error in the Api to \
                    receive it as it was thrown.
                    """)
        }
    }

    @Test("A long error description is truncated and does not break the answer")
    func longErrors() async throws {
        struct Long: Error, CustomStringConvertible {
            let description = String(repeating: "ä\n", count: 50_000)
        }
        var door = TestDoor()
        door.onReset = { throw Long() }
        try await Loopback.serve(door) { loopback in
            let error = try #require(await thrown { try await loopback.door.reset() } as? RemoteError)
            #expect(error.code == .failed)
            #expect(error.detail.utf8.count < 1100)
        }
    }

    @Test("A call to a server without the pair fails as notServed")
    func notServed() async throws {
        let server = try RemoteServer([], on: RemoteAddresses("127.0.0.1:0"))
        try await running(server.run, stop: server.stop) {
            let connection = try RemoteConnection(
                to: RemoteAddresses(try await server.address), options: .patient)
            try await running(connection.run, stop: connection.stop) {
                let door = DoorRemoteClient(connection: connection)
                let error = try #require(await thrown { try await door.reset() } as? RemoteError)
                #expect(error.code == .notServed)
                await #expect(throws: DoorApiError.self) { try await door.passages(at: "Zoo") }
            }
        }
    }

    @Test(
        "A requirement can have any name that Swift allows",
        arguments: ["größe(of:)", "a b/c%20?#(_:)", "🚇()"])
    func names(name: String) async throws {
        let names = Shared<[String]>([])
        let call = RemoteCall<String, RemoteError, String>(name, of: DoorRemote.pair)
        var service = RemoteService(DoorRemote.pair)
        service.add(call) { $0 }
        var options = RemoteServer.Options.patient
        options.onCall = { record in names.update { $0.append(record.method) } }
        let server = try RemoteServer([service], on: RemoteAddresses("127.0.0.1:0"), options: options)
        var calling = RemoteConnection.Options.patient
        calling.onCall = options.onCall
        try await running(server.run, stop: server.stop) {
            let connection = try RemoteConnection(
                to: RemoteAddresses(try await server.address), options: calling)
            try await running(connection.run, stop: connection.stop) {
                let answer = try await connection.call(call, "Mia")
                #expect(answer == "Mia")
            }
        }
        #expect(names.value == [name, name])
    }

    @Test("Requests and answers above the size limit are refused, and the connection stays usable")
    func sizes() async throws {
        let large = String(repeating: "a", count: 5 << 20)
        let calls = Shared(0)
        var door = TestDoor()
        door.onCode = {
            calls.value += 1
            return DoorCode(text: $0 == "large" ? large : "small")
        }
        try await Loopback.serve(door) { loopback in
            for passenger in [large, "large"] {
                let error = await thrown { _ = try await loopback.door.code(for: passenger) } as? DoorApiError
                #expect(error?.text.contains("bytes, and at most 4194304 are allowed") == true)
            }
            #expect(calls.value == 1)
            let code = try await loopback.door.code(for: "")
            #expect(code.text == "small")
        }
    }

    @Test("A server refuses a request above its own limit, even if the caller's limit is higher")
    func serverLimit() async throws {
        var calling = RemoteConnection.Options.patient
        calling.maximumBytes = 8 << 20
        try await Loopback.serve(TestDoor(), calling: calling) { loopback in
            await #expect(throws: DoorApiError.self) {
                try await loopback.door.code(for: String(repeating: "a", count: 5 << 20))
            }
            let code = try await loopback.door.code(for: "Mia")
            #expect(code.text == "code of Mia")
        }
    }

    @Test("Each of five hundred calls from fifty callers arrives exactly once")
    func many() async throws {
        let calls = Shared<[String: Int]>([:])
        var door = TestDoor()
        door.onCode = { passenger in
            calls.update { $0[passenger, default: 0] += 1 }
            return DoorCode(text: passenger)
        }
        try await Loopback.serve(door) { loopback in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for caller in 0..<50 {
                    group.addTask {
                        for call in 0..<10 {
                            let name = "\(caller)/\(call)"
                            let code = try await loopback.door.code(for: name)
                            #expect(code.text == name)
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        #expect(calls.value.count == 500)
        #expect(calls.value.values.allSatisfy { $0 == 1 })
    }
}
