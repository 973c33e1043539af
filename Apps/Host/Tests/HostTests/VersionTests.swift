import Foundation
import GateApi
import GateApiFakes
import RemotePairs
import Testing

@Suite("Versions of a remote pair", .serialized)
struct VersionTests {
    @Test(
        "If the host has another major version of the Api, the day continues, and the error says what to update",
        arguments: [
            (RemoteVersion(2, 0, 0), RemoteVersion(2, 0, 0), "Update the caller to GateApi 2.0.0."),
            (
                RemoteVersion(1, 0, 0), RemoteVersion(0, 9, 0),
                "and the server runs Gate 0.9.0. Update the server to Gate"
            ),
        ])
    func major(api: RemoteVersion, imp: RemoteVersion, fix: String) async throws {
        let pair = RemotePair("Gate", service: "GateApi.GateApiProtocol", api: api, imp: imp, floor: imp)
        var service = RemoteService(pair)
        let code = RemoteCall<GateCode, GateApiError, String>("code(for:)", of: pair, .repeatable) {
            .unreachable("\($0)")
        }
        service.add(code) { [gate = FakeGate()] in try await gate.code(for: $0) }
        try await serving(service) { address in
            let run = try await Program.host.run("day", "--remote", "Gate=\(address)")
            #expect(run.status == 1)
            #expect(run.errors.contains(fix), "\(run.errors)")
        }
    }

    @Test("A caller and a host with different minor versions of the Api understand each other")
    func minor() async throws {
        let host = try await ServingHost()
        let ours = try await calling(host.address) { try await $0.code(for: "ann").text }
        #expect(ours.count == 26)
        let pair = RemotePair(
            "Gate", service: "GateApi.GateApiProtocol", api: RemoteVersion(1, 9, 0),
            imp: RemoteVersion(1, 9, 0),
            floor: RemoteVersion(1, 0, 0))
        let code = RemoteCall<GateCode, GateApiError, String>("code(for:)", of: pair, .repeatable) {
            .unreachable("\($0)")
        }
        var service = RemoteService(pair)
        let gate = FakeGate()
        service.add(code) { try await gate.code(for: $0) }
        try await serving(service) { address in
            let newer = try await calling(address) { try await $0.code(for: "ann").text }
            #expect(try await newer == gate.code(for: "ann").text)
        }
        let connection = try RemoteConnection(to: RemoteAddresses(host.address))
        let theirs = try await running(connection.run, stop: connection.stop) {
            try await connection.call(code, "ann").text
        }
        #expect(theirs == ours)
    }
}
