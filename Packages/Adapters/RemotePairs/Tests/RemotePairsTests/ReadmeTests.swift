import RemotePairs
import TestSupport
import Testing

@Suite("The README", .oneAtATime)
struct ReadmeTests {
    @Test("Each Swift block equals its source file's text")
    func code() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 6)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }

    /// Compiled but never run. The README shows these lines.
    private func serve(_ door: some DoorApiProtocol) async throws {
        let server = try RemoteServer([DoorRemote.service(door)], on: RemoteAddresses("127.0.0.1:7443"))
        try await server.run()
    }

    private func call() async throws {
        let connection = try RemoteConnection(to: RemoteAddresses("127.0.0.1:7443"))
        let door: any DoorApiProtocol = DoorRemoteClient(connection: connection)
        _ = try await door.code(for: "Mia")
    }
}
