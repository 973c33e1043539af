import NIOCore
import NIOHTTP2

/// A channel handler that limits how many stream resets are sent on an HTTP/2 connection before the server
/// has confirmed the earlier resets.
///
/// Swift-nio-http2 remembers only about thirty reset streams. A server may have responded on a stream before
/// it learns of the reset. If swift-nio-http2 no longer remembers this stream, it treats the response as a
/// connection error and leaves the bytes after it unread until more bytes arrive. Other exchanges on the
/// connection may then hang. So resets wait until the server has acknowledged a ping, which shows that it has
/// seen the earlier resets. If the server does not acknowledge the ping within ten seconds, the resets are
/// sent anyway.
///
/// The handler directly follows the `NIOHTTP2Handler` in the connection's pipeline.
final class HTTP2Resets: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// The maximum number of unconfirmed resets. It is about half the number of reset streams that swift-nio-http2
    /// remembers, because swift-nio-http2 itself also sends resets.
    private static let limit = 16
    /// The maximum time to wait for the acknowledgement of a ping.
    private static let patience = TimeAmount.seconds(10)

    /// The numbers of resets that the server may not have seen yet: those sent before the last ping, and
    /// those sent after it.
    private var unseen = (pinged: 0, later: 0)
    private var waiting = CircularBuffer<(frame: HTTP2Frame, promise: EventLoopPromise<Void>?)>()
    private var pings: UInt64 = 0
    /// The timeout of the last ping.
    private var giveUp: Scheduled<Void>?

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        guard case .rstStream = frame.payload else { return context.write(data, promise: promise) }
        waiting.append((frame, promise))
        send(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(let answered, ack: true) = unwrapInboundIn(data).payload, answered.integer == pings {
            isSeen(context)
        }
        context.fireChannelRead(data)
    }

    /// Drops the waiting reset of a stream that has closed.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let closed = event as? StreamClosedEvent { drop { $0 == closed.streamID } }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        giveUp?.cancel()
        drop { _ in true }
    }

    private func send(_ context: ChannelHandlerContext) {
        while unseen.pinged + unseen.later < Self.limit, let (frame, promise) = waiting.popFirst() {
            unseen.later += 1
            context.write(wrapOutboundOut(frame), promise: promise)
        }
        // Ping only when resets are waiting: swift-nio-http2 treats too many acknowledgements as an attack.
        guard unseen.pinged == 0, !waiting.isEmpty else { return }
        unseen = (unseen.later, 0)
        pings += 1
        let ping = HTTP2Frame(
            streamID: .rootStream, payload: .ping(HTTP2PingData(withInteger: pings), ack: false))
        context.write(wrapOutboundOut(ping), promise: nil)
        giveUp = context.eventLoop.assumeIsolated().scheduleTask(in: Self.patience) {
            while let (frame, promise) = self.waiting.popFirst() {
                context.write(self.wrapOutboundOut(frame), promise: promise)
            }
            self.isSeen(context)
        }
    }

    private func isSeen(_ context: ChannelHandlerContext) {
        giveUp?.cancel()
        unseen.pinged = 0
        send(context)
        context.flush()
    }

    private func drop(_ isDropped: (HTTP2StreamID) -> Bool) {
        let dropped = waiting.filter { isDropped($0.frame.streamID) }
        waiting.removeAll { isDropped($0.frame.streamID) }
        for (_, promise) in dropped { promise?.succeed() }
    }
}
