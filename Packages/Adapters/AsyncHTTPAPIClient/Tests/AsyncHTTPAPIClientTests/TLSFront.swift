import APIServiceTesting
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport

/// A self-signed certificate for 127.0.0.1 or another name.
struct TestCertificate: Codable, Sendable {
    /// The certificate in PEM format.
    let file: URL
    let key: URL

    /// Creates the certificate with the `openssl` command.
    ///
    /// - Throws: ``Failure`` if `openssl` is missing or fails.
    init(in folder: TemporaryFolder, name: String? = nil) throws {
        (file, key) = (folder.file("\(name ?? "own").pem"), folder.file("\(name ?? "own").key"))
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
        throw Failure("The TLS tests need the openssl command, and this platform cannot start programs.")
        #else
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
                "openssl created no certificate (status \(openssl.terminationStatus)). The TLS tests need the "
                    + "command openssl 1.1.1 or later: apt-get install openssl")
        }
        #endif
    }

    /// Returns the TLS context of a server that presents this certificate and offers `protocols`.
    ///
    /// - Throws: `NIOSSLError` if the files cannot be read.
    func context(protocols: [String] = [], maximum: TLSVersion? = nil) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(file.path).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key.path, format: .pem)))
        configuration.applicationProtocols = protocols
        configuration.maximumTLSVersion = maximum
        return try NIOSSLContext(configuration: configuration)
    }
}

/// A proxy that accepts TLS and forwards to a loopback server over plain HTTP.
enum TLSFront {
    /// Runs `body` with the https URL of a proxy for `server`.
    static func serve(
        _ certificate: TestCertificate, before server: LoopbackServer, _ body: (URL) async throws -> Void
    ) async throws {
        let front = try await listen(certificate, before: server.port).get()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(try front.httpsURL))
        } catch {
            result = .failure(error)
        }
        try await front.close().get()
        try result.get()
    }

    /// Creates a proxy for the server on `port`. The server need not accept requests yet.
    ///
    /// - Parameter maximum: The latest version of TLS that the proxy accepts.
    static func front(
        _ certificate: TestCertificate, before port: Int, maximum: TLSVersion? = nil
    ) throws -> LoopbackServer.Front {
        let front = try listen(certificate, before: port, maximum: maximum).wait()
        return LoopbackServer.Front(base: try front.httpsURL) { front.close(promise: nil) }
    }

    private static func listen(
        _ certificate: TestCertificate, before port: Int, maximum: TLSVersion? = nil
    ) throws -> EventLoopFuture<any Channel> {
        let context = try certificate.context(maximum: maximum)
        // Use channel handlers, because an async channel traps if its client disconnects before the channel
        // is used.
        return ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: port).flatMap {
                    back in
                    client.eventLoop.makeCompletedFuture {
                        try client.pipeline.syncOperations.addHandlers(
                            NIOSSLServerHandler(context: context), Relay(to: back))
                        try back.pipeline.syncOperations.addHandler(Relay(to: client))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0)
    }

    /// Forwards incoming data to a peer channel on the same event loop, and closes the peer when its own channel
    /// closes.
    private final class Relay: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let peer: any Channel

        init(to peer: any Channel) { self.peer = peer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            peer.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            // Close only after all earlier writes have been sent.
            let peer = peer
            peer.writeAndFlush(ByteBuffer()).whenComplete { _ in peer.close(promise: nil) }
            context.fireChannelInactive()
        }

        // Errors need no report, because clients disconnect or reject the certificate on purpose in these
        // tests.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

extension Channel {
    /// The https URL of a listening channel.
    var httpsURL: URL {
        get throws {
            guard let port = localAddress?.port, let url = URL(string: "https://127.0.0.1:\(port)")
            else { throw Failure("the TLS server has no port") }
            return url
        }
    }
}
