import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import RemotePairs

/// Starts a server of this package and returns a closure that calls it.
func remoteCall(_ kind: RemoteCallKind, _ security: RemoteSecurity) async throws -> Call {
    let pair = RemotePair(
        "Gate", service: "GateApi.GateApiProtocol", api: RemoteVersion(1, 0, 0), imp: RemoteVersion(1, 0, 0),
        floor: RemoteVersion(1, 0, 0))
    let pass = RemoteCall<Passage, RemoteError, Question>("pass(_:)", of: pair, kind)
    let gate: any Gate = LocalGate()
    var service = RemoteService(pair)
    service.add(pass) { try await gate.pass($0) }
    let server = try RemoteServer([service], on: RemoteAddresses("127.0.0.1:0"), security: security)
    Task { try await server.run() }
    let connection = try RemoteConnection(to: RemoteAddresses(try await server.address), security: security)
    Task { try await connection.run() }
    return { _ = try await connection.call(pass, Question()) }
}

/// Starts a server with grpc-swift alone and returns a closure that makes the same call.
func bareCall(_ certificates: Certificates, isPlain: Bool) async throws -> Call {
    let method = MethodDescriptor(
        fullyQualifiedService: "GateApi.GateApiProtocol", method: "pass(_:)", type: .unary)
    let gate: any Gate = LocalGate()
    var router = RPCRouter<HTTP2ServerTransport.Posix>()
    router.registerHandler(forMethod: method, deserializer: JSON<Question>(), serializer: JSON<Passage>()) {
        request, _ in
        let question = try await ServerRequest(stream: request).message
        return StreamingServerResponse(single: ServerResponse(message: try await gate.pass(question)))
    }
    let server = GRPCServer(
        transport: HTTP2ServerTransport.Posix(
            address: .ipv4(host: "127.0.0.1", port: 0),
            transportSecurity: isPlain ? .plaintext : certificates.bareServer),
        router: router)
    Task { try await server.serve() }
    let port = try await server.transport.listeningAddress.ipv4?.port ?? 0
    let client = GRPCClient(
        transport: try HTTP2ClientTransport.Posix(
            target: .ipv4(address: "127.0.0.1", port: port),
            transportSecurity: isPlain ? .plaintext : certificates.bareClient))
    Task { try await client.runConnections() }
    var options = CallOptions.defaults
    options.timeout = .seconds(10)
    return { [options] in
        _ = try await client.unary(
            request: ClientRequest(message: Question()), descriptor: method, serializer: JSON<Question>(),
            deserializer: JSON<Passage>(), options: options
        ) { try $0.message }
    }
}

private let encoder = JSONEncoder()
private let decoder = JSONDecoder()

struct JSON<Message: Codable & Sendable>: MessageSerializer, MessageDeserializer {
    func serialize<Bytes: GRPCContiguousBytes>(_ message: Message) throws -> Bytes {
        Bytes(try encoder.encode(message))
    }

    func deserialize<Bytes: GRPCContiguousBytes>(_ bytes: Bytes) throws -> Message {
        try decoder.decode(Message.self, from: unsafe bytes.withUnsafeBytes { unsafe Data($0) })
    }
}

/// A self-signed certificate for 127.0.0.1, created with the `openssl` command.
struct Certificates {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "RemoteCallBenchmark-\(UUID())")

    init() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let openssl = Process()
        openssl.executableURL = URL(filePath: "/usr/bin/env")
        let arguments =
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=gate "
            + "-addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out certificate.pem"
        openssl.arguments = arguments.split(separator: " ").map(String.init)
        openssl.currentDirectoryURL = folder
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
    }

    func remove() throws { try FileManager.default.removeItem(at: folder) }

    private var certificate: String { folder.appending(path: "certificate.pem").path }
    private var key: String { folder.appending(path: "key.pem").path }

    var security: RemoteSecurity { .mutualTLS(certificate: certificate, key: key, authority: certificate) }

    var bareServer: HTTP2ServerTransport.Posix.TransportSecurity {
        .mTLS(
            certificateChain: [.file(path: certificate, format: .pem)],
            privateKey: .file(path: key, format: .pem)
        ) { $0.trustRoots = .certificates([.file(path: certificate, format: .pem)]) }
    }

    var bareClient: HTTP2ClientTransport.Posix.TransportSecurity {
        .mTLS(
            certificateChain: [.file(path: certificate, format: .pem)],
            privateKey: .file(path: key, format: .pem)
        ) { $0.trustRoots = .certificates([.file(path: certificate, format: .pem)]) }
    }
}
