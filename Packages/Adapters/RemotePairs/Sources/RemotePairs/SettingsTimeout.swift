import GRPCCore
import NIOCore
import NIOHTTP2

/// Closes a connection on which the other side has not sent its HTTP/2 settings in time. The kernel accepts connections
/// even for a process that hangs or is suspended, and gRPC would wait indefinitely for its settings.
final class SettingsTimeout: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    private let limit: TimeAmount
    private var timer: Scheduled<Void>?

    /// Adds this handler to a new connection, which may still be opening.
    static func add(to connection: any Channel, limit: TimeAmount) throws {
        let pipeline = connection.pipeline.syncOperations
        try pipeline.addHandler(
            SettingsTimeout(limit), position: .after(try pipeline.handler(type: NIOHTTP2Handler.self)))
    }

    private init(_ limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
        let seconds = limit.nanoseconds / 1_000_000_000
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: limit) {
            context.fireErrorCaught(
                RPCError(
                    code: .unavailable,
                    message: "it did not complete the connection within \(seconds) s"))
            context.close(promise: nil)
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .settings(.settings) = unwrapInboundIn(data).payload { timer?.cancel() }
        context.fireChannelRead(data)
    }
}
