import Foundation
import RemotePairs
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// The tests create their certificates with the `openssl` command.
@Suite("Mutual TLS", .oneAtATime, .waitLimit)
struct TLSTests {
    private let folder: TemporaryFolder
    private let trusted: Authority
    private let stranger: Authority

    init() throws {
        folder = try TemporaryFolder()
        trusted = try Authority("trusted", in: folder)
        stranger = try Authority("stranger", in: folder)
    }

    /// Calls a server, and returns the call's error, if any.
    private func call(
        server: RemoteSecurity, client: RemoteSecurity, at name: String = "127.0.0.1"
    ) async throws -> RemoteError? {
        let served = try RemoteServer(
            [DoorRemote.service(TestDoor())], on: RemoteAddresses("127.0.0.1:0"), security: server)
        return try await running(served.run, stop: served.stop) {
            let port = try await served.address.split(separator: ":").last ?? ""
            let connection = try RemoteConnection(
                to: RemoteAddresses("\(name):\(port)"), security: client, options: .patient)
            return try await running(connection.run, stop: connection.stop) {
                await thrown { try await DoorRemoteClient(connection: connection).reset() } as? RemoteError
            }
        }
    }

    @Test(
        "A call with certificates of the same authority succeeds", arguments: ["127.0.0.1", "dns:localhost"])
    func succeeds(name: String) async throws {
        let server = try trusted.identity("server", "IP:127.0.0.1,DNS:localhost", trusting: trusted)
        let client = try trusted.identity("client", "DNS:client", trusting: trusted)
        #expect(try await call(server: server, client: client, at: name) == nil)
    }

    @Test("A client does not call a server whose certificate comes from another authority")
    func strangeServer() async throws {
        let server = try stranger.identity("server", "IP:127.0.0.1", trusting: trusted)
        let client = try trusted.identity("client", "DNS:client", trusting: trusted)
        let error = try await call(server: server, client: client)
        #expect(error?.code == .unreachable)
        #expect("\(try #require(error))".contains("CERTIFICATE_VERIFY_FAILED"))
    }

    @Test(
        "A client does not call a server whose certificate names another host",
        arguments: ["127.0.0.1", "dns:localhost"])
    func otherHost(name: String) async throws {
        let server = try trusted.identity("server", "DNS:other", trusting: trusted)
        let client = try trusted.identity("client", "DNS:client", trusting: trusted)
        #expect(try await call(server: server, client: client, at: name)?.code == .unreachable)
    }

    @Test("A caller with another authority's certificate is refused")
    func strangeClient() async throws {
        let server = try trusted.identity("server", "IP:127.0.0.1", trusting: trusted)
        let client = try stranger.identity("client", "DNS:client", trusting: trusted)
        #expect(try await call(server: server, client: client)?.code == .unreachable)
    }

    @Test("A caller without TLS is refused")
    func plainClient() async throws {
        let server = try trusted.identity("server", "IP:127.0.0.1", trusting: trusted)
        #expect(try await call(server: server, client: .insecure)?.code == .unreachable)
    }

    /// A file that replaces one of the three valid files, and the text of the resulting error.
    struct BadFile: CustomTestStringConvertible, Sendable {
        let role, file, text: String
        var testDescription: String { "\(role) \(file)" }
    }

    @Test(
        "A connection and a server refuse an unusable file, and name it",
        arguments: [
            BadFile(role: "certificate", file: "missing.pem", text: "the file cannot be read"),
            BadFile(role: "key", file: "missing.pem", text: "the file cannot be read"),
            BadFile(role: "authority", file: "missing.pem", text: "the file cannot be read"),
            BadFile(role: "certificate", file: "text.pem", text: "has no certificate in PEM format"),
            BadFile(role: "key", file: "text.pem", text: "has no key in PEM format"),
            BadFile(role: "key", file: "stranger.key", text: "is not the key of the certificate"),
            BadFile(role: "authority", file: "text.pem", text: "has no certificate in PEM format"),
            BadFile(role: "authority", file: "empty.pem", text: "has no certificate in PEM format"),
            BadFile(role: "authority", file: "trusted.key", text: "has no certificate in PEM format"),
        ])
    func badFiles(_ bad: BadFile) throws {
        try folder.write("no certificate", to: "text.pem")
        try folder.write("", to: "empty.pem")
        let files = [
            "certificate": "trusted.pem", "key": "trusted.key", "authority": "trusted.pem",
        ].merging([bad.role: bad.file]) { $1 }
        func path(_ role: String) throws -> String { folder.file(try #require(files[role])).path }
        let security = RemoteSecurity.mutualTLS(
            certificate: try path("certificate"), key: try path("key"), authority: try path("authority"))
        let address = try RemoteAddresses("10.0.0.1:7443")
        let errors = [
            #expect(throws: RemoteSetupError.self) { try RemoteConnection(to: address, security: security) },
            #expect(throws: RemoteSetupError.self) { try RemoteServer([], on: address, security: security) },
        ]
        for error in errors {
            let description = "\(try #require(error))"
            #expect(description.hasPrefix("the \(bad.role) '\(folder.file(bad.file).path)': "))
            #expect(description.contains(bad.text), "\(description)")
        }
    }
}

/// A certificate authority for a test.
private struct Authority {
    private let name: String
    private let folder: TemporaryFolder

    init(_ name: String, in folder: TemporaryFolder) throws {
        (self.name, self.folder) = (name, folder)
        try openssl(
            "req -x509 \(Self.newKey) -days 2 -subj /CN=\(name) -keyout \(name).key -out \(name).pem")
    }

    /// Creates a certificate for these names, signed by this authority, and returns the security that uses it.
    func identity(_ role: String, _ names: String, trusting other: Authority) throws -> RemoteSecurity {
        let file = "\(name)-\(role)"
        try folder.write("subjectAltName=\(names)\n", to: "\(file).names")
        try openssl("req \(Self.newKey) -subj /CN=\(role) -keyout \(file).key -out \(file).csr")
        try openssl(
            "x509 -req -in \(file).csr -CA \(name).pem -CAkey \(name).key -CAcreateserial -days 2 "
                + "-extfile \(file).names -out \(file).pem")
        return .mutualTLS(
            certificate: folder.file("\(file).pem").path, key: folder.file("\(file).key").path,
            authority: folder.file("\(other.name).pem").path)
    }

    private static let newKey = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"

    private func openssl(_ arguments: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
        process.currentDirectoryURL = folder.url
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments)")
    }
}
#endif
