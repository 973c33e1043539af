import NIOCore
import NIOHTTP2

/// Tells the streams that a server has not begun, as its GOAWAY says, from those that it has reset. swift-nio-http2
/// closes both with CANCEL; here the former get REFUSED_STREAM, which means the same as GOAWAY does for them.
///
/// Source: RFC 9113, 6.8 and 8.7.
final class GoAwayReader: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    /// The last stream that the server may have begun.
    private var last: HTTP2StreamID?

    /// Adds one to an HTTP/2 connection of async-http-client, before what hands streams their events. Where that is not
    /// to be found, nothing is added, and those streams end with CANCEL.
    static func add(to connection: any Channel) -> EventLoopFuture<Void> {
        connection.eventLoop.submit {
            let pipeline = connection.pipeline.syncOperations
            guard let streams = try? pipeline.handler(type: HTTP2StreamMultiplexer.self) else { return }
            try pipeline.addHandler(GoAwayReader(), position: .before(streams))
        }
    }

    // The frame comes before the events of the streams that it closes.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway(let last, _, _) = unwrapInboundIn(data).payload { self.last = last }
        context.fireChannelRead(data)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard let closed = event as? StreamClosedEvent, closed.reason == .cancel, let last,
            closed.streamID > last
        else { return context.fireUserInboundEventTriggered(event) }
        context.fireUserInboundEventTriggered(
            StreamClosedEvent(streamID: closed.streamID, reason: .refusedStream))
    }
}
