import APIServiceTesting
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// A certificate of its own making, for 127.0.0.1 or another name.
struct TestCertificate: Sendable {
    /// The certificate, as PEM.
    let file: URL
    let key: URL

    /// Makes it with the command `openssl`, which every system has that this runs on.
    ///
    /// - Throws: ``Failure`` when there is none, or it fails.
    init(in folder: Folder, name: String? = nil) throws {
        (file, key) = (folder.file("\(name ?? "own").pem"), folder.file("\(name ?? "own").key"))
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        openssl.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-days", "2", "-subj", "/CN=loopback",
            "-addext", "subjectAltName=" + (name.map { "DNS:\($0)" } ?? "IP:127.0.0.1"),
            "-keyout", key.path, "-out", file.path,
        ]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        guard openssl.terminationStatus == 0 else {
            throw Failure(
                "openssl made no certificate (status \(openssl.terminationStatus)). The tests over TLS need the "
                    + "command openssl, 1.1.1 or later: apt-get install openssl")
        }
    }
}

/// Puts TLS before a server on loopback that speaks plain HTTP.
enum TLSFront {
    private typealias Bytes = NIOAsyncChannel<ByteBuffer, ByteBuffer>

    /// Runs `body` with the https URL of `server`.
    static func serve(
        _ certificate: TestCertificate, before server: LoopbackServer, _ body: (URL) async throws -> Void
    ) async throws {
        let chain = try NIOSSLCertificate.fromPEMFile(certificate.file.path).map {
            NIOSSLCertificateSource.certificate($0)
        }
        let context = try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: chain,
                privateKey: .privateKey(try NIOSSLPrivateKey(file: certificate.key.path, format: .pem))))
        let front = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    return try Bytes(wrappingChannelSynchronously: channel)
                }
            }
        guard let port = front.channel.localAddress?.port, let url = URL(string: "https://127.0.0.1:\(port)")
        else { throw Failure("the TLS server has no port") }
        let backPort = server.port
        try await withThrowingTaskGroup { group in
            group.addTask {
                try await front.executeThenClose { connections in
                    try await withThrowingDiscardingTaskGroup { group in
                        for try await connection in connections {
                            // A client that breaks off, or trusts nobody, is what is tested here.
                            group.addTask { try? await relay(connection, to: backPort) }
                        }
                    }
                }
            }
            defer { group.cancelAll() }
            try await body(url)
        }
    }

    /// Passes on what comes, both ways, until one side ends.
    private static func relay(_ connection: Bytes, to port: Int) async throws {
        let back = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture { try Bytes(wrappingChannelSynchronously: channel) }
            }
        try await connection.executeThenClose { requests, answers in
            try await back.executeThenClose { fromServer, toServer in
                try await withThrowingTaskGroup { group in
                    group.addTask { for try await bytes in requests { try await toServer.write(bytes) } }
                    group.addTask { for try await bytes in fromServer { try await answers.write(bytes) } }
                    defer { group.cancelAll() }
                    try await group.next()
                }
            }
        }
    }
}
