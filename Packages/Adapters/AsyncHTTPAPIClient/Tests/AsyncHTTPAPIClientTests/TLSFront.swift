import APIServiceTesting
import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import TestSupport

/// A certificate of its own making, for 127.0.0.1 or another name.
struct TestCertificate: Codable, Sendable {
    /// The certificate, as PEM.
    let file: URL
    let key: URL

    /// Makes it with the command `openssl`, which every system has that this runs on.
    ///
    /// - Throws: ``Failure`` when there is none, or it fails.
    init(in folder: TemporaryFolder, name: String? = nil) throws {
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

    /// What a server needs that shows it, and speaks these protocols.
    ///
    /// - Throws: `NIOSSLError` when the files cannot be read.
    func context(protocols: [String] = []) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try NIOSSLCertificate.fromPEMFile(file.path).map { .certificate($0) },
            privateKey: .privateKey(try NIOSSLPrivateKey(file: key.path, format: .pem)))
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }
}

/// Puts TLS before a server on loopback that speaks plain HTTP.
enum TLSFront {
    /// Runs `body` with the https URL of `server`.
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

    /// A front for a server that is about to be made.
    static func front(_ certificate: TestCertificate, before port: Int) throws -> LoopbackServer.Front {
        let front = try listen(certificate, before: port).wait()
        return LoopbackServer.Front(base: try front.httpsURL) { front.close(promise: nil) }
    }

    private static func listen(_ certificate: TestCertificate, before port: Int) throws
        -> EventLoopFuture<any Channel>
    {
        let context = try certificate.context()
        // Handlers, and no async channels: those are fatal when a client breaks off before they are taken.
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

    /// Passes on what comes to another channel of the same event loop, and its end.
    private final class Relay: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let peer: any Channel

        init(to peer: any Channel) { self.peer = peer }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            peer.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) {
            // Behind all that was written before.
            let peer = peer
            peer.writeAndFlush(ByteBuffer()).whenComplete { _ in peer.close(promise: nil) }
            context.fireChannelInactive()
        }

        // A client that breaks off, or trusts nobody, is what is tested here.
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}

extension Channel {
    /// Where a server that listens is asked over TLS.
    var httpsURL: URL {
        get throws {
            guard let port = localAddress?.port, let url = URL(string: "https://127.0.0.1:\(port)")
            else { throw Failure("the TLS server has no port") }
            return url
        }
    }
}
