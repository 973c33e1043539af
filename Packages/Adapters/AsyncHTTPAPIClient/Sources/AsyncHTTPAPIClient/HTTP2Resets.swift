import NIOCore
import NIOHTTP2

/// Resets no more streams of an HTTP/2 connection at once than swift-nio-http2 remembers, which is 32; it stands in the
/// connection's pipeline, right behind what makes frames of bytes.
///
/// A server may have answered a stream before it learns that it was reset. What comes for a stream that is not
/// remembered any more, swift-nio-http2 takes for an error of the connection, and reads no further: whatever else goes on
/// there gets no answer. So resets wait until the server has seen earlier ones, which the answer to a ping shows.
final class HTTP2Resets: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame
    typealias OutboundIn = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    /// Half of what is remembered, for swift-nio-http2 makes resets of its own, too.
    private static let limit = 16
    private static let data = HTTP2PingData(withInteger: 0)

    /// Resets that the server may not have seen: those before the ping that is under way, and the later ones.
    private var unseen = (pinged: 0, later: 0)
    private var waiting = CircularBuffer<(frame: HTTP2Frame, promise: EventLoopPromise<Void>?)>()

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let frame = unwrapOutboundIn(data)
        guard case .rstStream = frame.payload else { return context.write(data, promise: promise) }
        waiting.append((frame, promise))
        send(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ping(Self.data, ack: true) = unwrapInboundIn(data).payload {
            unseen.pinged = 0
            send(context)
            context.flush()
        }
        context.fireChannelRead(data)
    }

    /// A stream that was answered meanwhile need not be reset.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let closed = event as? StreamClosedEvent { drop { $0 == closed.streamID } }
        context.fireUserInboundEventTriggered(event)
    }

    func handlerRemoved(context: ChannelHandlerContext) { drop { _ in true } }

    private func send(_ context: ChannelHandlerContext) {
        while unseen.pinged + unseen.later < Self.limit, let (frame, promise) = waiting.popFirst() {
            unseen.later += 1
            context.write(wrapOutboundOut(frame), promise: promise)
        }
        // Not with each: the server answers every ping.
        guard unseen.pinged == 0, unseen.later >= Self.limit / 2 else { return }
        unseen = (unseen.later, 0)
        let ping = HTTP2Frame(streamID: .rootStream, payload: .ping(Self.data, ack: false))
        context.write(wrapOutboundOut(ping), promise: nil)
    }

    private func drop(_ isDropped: (HTTP2StreamID) -> Bool) {
        let dropped = waiting.filter { isDropped($0.frame.streamID) }
        waiting.removeAll { isDropped($0.frame.streamID) }
        for (_, promise) in dropped { promise?.succeed() }
    }
}
