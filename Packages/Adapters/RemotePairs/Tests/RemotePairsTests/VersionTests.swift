import GRPCCore
import RemotePairs
import TestSupport
import Testing

@Suite("Versions of caller and server", .oneAtATime)
struct VersionTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let caller: RemoteVersion
        let floor: RemoteVersion
        var server = RemoteVersion(2, 3, 0)
        var imp = RemoteVersion(2, 3, 1)
        var refusal: String?

        var testDescription: String { "\(caller) floor \(floor) -> \(server) IMP \(imp)" }
    }

    static let older = "Different major versions are incompatible. Update the caller to DoorApi 2.3.0."
    static let newer = "Different major versions are incompatible. Update the server to DoorApi 3.0.0."

    @Test(
        "Another major version, or a floor above the served IMP, is refused with a message that says what to update",
        arguments: [
            Case(caller: .init(2, 3, 0), floor: .init(2, 0, 0)),
            Case(caller: .init(2, 0, 5), floor: .init(2, 0, 0)),
            Case(caller: .init(2, 9, 0), floor: .init(2, 3, 1)),
            Case(caller: .init(2, 10, 0), floor: .init(2, 3, 1), imp: .init(2, 10, 0)),
            Case(
                caller: .init(1, 9, 9), floor: .init(1, 0, 0),
                refusal: "built with DoorApi 1.9.9, and the server with DoorApi 2.3.0. " + older),
            Case(
                caller: .init(3, 0, 0), floor: .init(2, 0, 0),
                refusal: "built with DoorApi 3.0.0, and the server with DoorApi 2.3.0. " + newer),
            Case(
                caller: .init(2, 10, 0), floor: .init(2, 3, 2),
                refusal: """
                    The caller's DoorApi 2.10.0 needs Door 2.3.2 or later, and the server runs Door 2.3.1. Update the \
                    server to Door 2.3.2.
                    """),
        ])
    func versions(_ data: Case) async throws {
        func pair(_ api: RemoteVersion, _ imp: RemoteVersion, _ floor: RemoteVersion) -> RemotePair {
            RemotePair("Door", service: "DoorApi.DoorApiProtocol", api: api, imp: imp, floor: floor)
        }
        func reset(of pair: RemotePair) -> RemoteCall<RemoteVoid, RemoteError> {
            RemoteCall("reset()", of: pair)
        }
        let served = pair(data.server, data.imp, .init(2, 0, 0))
        var service = RemoteService(served)
        service.add(reset(of: served)) {}
        let refused = Shared<[RemoteError.Code]>([])
        var options = RemoteServer.Options.patient
        options.onCall = { record in
            if case .failed(let error) = record.outcome { refused.update { $0.append(error.code) } }
        }
        let server = try RemoteServer([service], on: RemoteAddresses("127.0.0.1:0"), options: options)
        try await running(server.run, stop: server.stop) {
            let connection = try RemoteConnection(
                to: RemoteAddresses(try await server.address), options: .patient)
            try await running(connection.run, stop: connection.stop) {
                let call = reset(of: pair(data.caller, data.caller, data.floor))
                let error = await thrown { try await connection.call(call) } as? RemoteError
                #expect(error?.code == data.refusal.map { _ in .version })
                if let refusal = data.refusal { #expect(error?.description.contains(refusal) == true) }
            }
        }
        #expect(refused.value == (data.refusal == nil ? [] : [.version]))
    }

    @Test(
        "A call that states no version is refused",
        arguments: [
            "", "api=1.2.3", "api=1.2 floor=1.0.0", "api=1.2.3 floor=-1.0.0", "floor=1.0.0 api=1.2.3",
        ])
    func noVersion(stated: String) async throws {
        try await Loopback.serve(TestDoor()) { loopback in
            try await RawClient.connected(to: loopback.address) { client in
                let error = await thrown {
                    _ = try await client.call("reset()", "[]", headers: ["pair-version": .string(stated)])
                }
                #expect((error as? RPCError)?.code == .failedPrecondition)
                #expect((error as? RPCError)?.message.contains("generated package DoorRemote") == true)
            }
        }
    }
}
