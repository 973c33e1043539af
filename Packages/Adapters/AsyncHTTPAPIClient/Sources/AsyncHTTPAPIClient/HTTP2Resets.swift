import NIOCore
import NIOHTTP2

/// Resets no more streams of an HTTP/2 connection at once than swift-nio-http2 remembers, which are about thirty; it
/// stands in the connection's pipeline, right behind what makes frames of bytes.
///
/// A server may have answered a stream before it learns that it was reset. What comes for a stream that is not
/// remembered any more, swift-nio-http2 takes for an error of the connection, and leaves what has come behind it unread
/// until more comes: whatever else goes on there may get no answer. So resets wait until the server has seen earlier
/// ones, which the answer to a ping shows. They do not wait for a server that does not answer at all.
final class HTTP2Resets: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// About half of what is remembered, for swift-nio-http2 makes resets of its own, too.
    private static let limit = 16
    /// How long the answer to a ping is waited for.
    private static let patience = TimeAmount.seconds(10)

    /// How many resets the server may not have seen: those before the last ping, and later ones.
    private var unseen = (pinged: 0, later: 0)
    private var waiting = CircularBuffer<(frame: HTTP2Frame, promise: EventLoopPromise<Void>?)>()
    private var pings: UInt64 = 0
    /// Ends the waiting for the last ping's answer.
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

    /// A stream that has closed meanwhile need not be reset.
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
        // Only when it is waited for: swift-nio-http2 takes too many answers for an attack.
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
