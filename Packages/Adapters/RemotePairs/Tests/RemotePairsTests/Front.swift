import NIOCore
import NIOPosix
import TestSupport

/// A TCP proxy in front of a server. On request, it cuts its connection or stops forwarding.
///
/// It accepts one connection at a time, because gRPC opens two after a cut, and a test cannot know which one a call
/// uses.
final class Front: Sendable {
    private let isSilent = Shared(false)
    private let connection = Shared<(any Channel)?>(nil)
    let address: String
    private let listener: any Channel

    /// Forwards to a server on loopback, given as `127.0.0.1:port`.
    init(before server: String) async throws {
        let port = Int(server.split(separator: ":").last ?? "") ?? 0
        let (isSilent, connection) = (isSilent, connection)
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { client in
                var isFirst = false
                connection.update {
                    isFirst = $0 == nil
                    if isFirst { $0 = client }
                }
                guard isFirst else { return client.close() }
                client.closeFuture.whenComplete { _ in connection.value = nil }
                return ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: port).flatMap
                {
                    back in
                    client.closeFuture.whenComplete { _ in back.close(promise: nil) }
                    back.closeFuture.whenComplete { _ in client.close(promise: nil) }
                    return client.eventLoop.makeCompletedFuture {
                        try client.pipeline.syncOperations.addHandler(Relay(to: back, isSilent))
                        try back.pipeline.syncOperations.addHandler(Relay(to: client, isSilent))
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        address = "127.0.0.1:\(listener.localAddress?.port ?? 0)"
    }

    /// Closes the connection. If an IMP awaits this method, its answer is lost.
    func cut() async { try? await connection.value?.close() }

    /// Stops forwarding, but keeps the connections open.
    func fallSilent() { isSilent.value = true }

    var hasFallenSilent: Bool { isSilent.value }

    /// Refuses new connections and closes all others, as a killed server does.
    func kill() async {
        try? await listener.close()
        await cut()
    }
}

/// Forwards the bytes of one channel to another.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let other: any Channel
    private let isSilent: Shared<Bool>

    init(to other: any Channel, _ isSilent: Shared<Bool>) { (self.other, self.isSilent) = (other, isSilent) }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !isSilent.value { other.writeAndFlush(unwrapInboundIn(data), promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

extension Shared<Front?> {
    /// Puts a proxy in front of a server, and returns the proxy's address.
    func open(before server: String) async throws -> String {
        let front = try await Front(before: server)
        value = front
        return front.address
    }
}
