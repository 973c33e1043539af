import NIOCore
import NIOPosix
import TestSupport

/// A TCP proxy in front of a server that loses answers, or stops forwarding, when a test says so.
final class Front: Sendable {
    private enum Mode: Sendable { case forward, lose, silent }

    private let mode = Shared(Mode.forward)
    private let connections = Shared<[any Channel]>([])
    let address: String
    private let listener: any Channel

    /// Forwards to a server on loopback, given as `127.0.0.1:port`.
    init(before server: String) async throws {
        let port = Int(server.split(separator: ":").last ?? "") ?? 0
        let (mode, connections) = (mode, connections)
        listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { client in
                connections.update { $0.append(client) }
                return ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: port).flatMap
                {
                    back in
                    client.eventLoop.makeCompletedFuture {
                        try client.pipeline.syncOperations.addHandler(
                            Relay(to: back) { mode.value == .silent ? .drop : .pass })
                        try back.pipeline.syncOperations.addHandler(
                            Relay(to: client) {
                                switch mode.value {
                                case .forward: return .pass
                                case .silent: return .drop
                                case .lose:
                                    mode.value = .forward
                                    return .close
                                }
                            })
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        address = "127.0.0.1:\(listener.localAddress?.port ?? 0)"
    }

    /// Closes the connection instead of forwarding the server's next bytes.
    func loseNextAnswer() { mode.value = .lose }

    /// Forwards nothing any more, and keeps the connections open.
    func fallSilent() { mode.value = .silent }

    /// Refuses new connections and closes all others, as a killed server does.
    func close() async throws {
        try await listener.close()
        for connection in connections.value { try? await connection.close() }
    }
}

/// Forwards the bytes of one channel to another.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    enum Action { case pass, drop, close }

    private let other: any Channel
    private let action: @Sendable () -> Action
    private var isClosed = false

    init(to other: any Channel, action: @escaping @Sendable () -> Action) {
        (self.other, self.action) = (other, action)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        switch action() {
        case .pass: other.writeAndFlush(unwrapInboundIn(data), promise: nil)
        case .drop: break
        case .close:
            isClosed = true
            other.close(promise: nil)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
