import NIOCore
import NIOHTTP2

/// Keeps an HTTP/2 connection of async-http-client usable, or ends it; it stands in the connection's pipeline, behind
/// what makes frames of bytes and ``HTTP2Resets``.
///
/// - Streams that a server has not begun, as its GOAWAY says, end with REFUSED_STREAM, which means the same
///   (RFC 9113, 6.8 and 8.7). swift-nio-http2 closes them with CANCEL, like those that a server resets.
/// - A request that is cancelled when its stream is there, but nothing was sent on it, never gives its place among the
///   connection's streams back to the pool: a hundred of them, and requests to that host wait in vain. So such a
///   connection takes no more streams, as after a GOAWAY, and closes when the last one ends.
/// - A connection whose frames cannot, or will not, be read any more is closed: for one, because a head was too long.
///   Otherwise it would stay in the pool, and requests to it would get no answer.
///
/// Added by the hooks that async-http-client has for debugging. Should it once be made of other parts, nothing is added,
/// and the tests over HTTP/2 fail.
final class HTTP2Keeper: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private var context: ChannelHandlerContext?
    /// The last stream that the server may have begun.
    private var last: HTTP2StreamID?
    private var openStreams = 0
    private var isLeaving = false

    /// Adds one, and ``HTTP2Resets``, to a connection that was made.
    static func keep(_ connection: any Channel) -> EventLoopFuture<Void> {
        connection.eventLoop.submit {
            let pipeline = connection.pipeline.syncOperations
            guard let frames = try? pipeline.handler(type: NIOHTTP2Handler.self) else { return }
            try pipeline.addHandlers(HTTP2Resets(), HTTP2Keeper(), position: .after(frames))
        }
    }

    /// Watches a stream that was made for a request.
    static func watch(_ stream: any Channel) -> EventLoopFuture<Void> {
        stream.closeFuture.whenComplete { _ in
            // It gets its number when its first frame is sent.
            let number = try? stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
            guard number == nil, let pipeline = stream.parent?.pipeline.syncOperations else { return }
            (try? pipeline.handler(type: HTTP2Keeper.self))?.leave()
        }
        return stream.eventLoop.makeSucceededVoidFuture()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // A frame comes before the events of the streams that it closes.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(data)
        guard case .goAway(let last, _, _) = unwrapInboundIn(data).payload else { return }
        self.last = last
        isLeaving = true
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is NIOHTTP2StreamCreatedEvent:
            openStreams += 1
            context.fireUserInboundEventTriggered(event)
        case let closed as StreamClosedEvent:
            openStreams -= 1
            let isRefused = closed.reason == .cancel && last.map { closed.streamID > $0 } ?? false
            context.fireUserInboundEventTriggered(
                isRefused ? StreamClosedEvent(streamID: closed.streamID, reason: .refusedStream) : closed)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.fireErrorCaught(error)
        switch error {
        case is NIOHTTP2Errors.UnableToParseFrame, is NIOHTTP2Errors.ExcessivelyLargeHeaderBlock,
            is NIOHTTP2Errors.ExcessiveContinuationFrames, is NIOHTTP2Errors.ExcessiveControlFrames:
            context.close(promise: nil)
        default: break
        }
    }

    /// Lets the connection's other handlers believe that the server takes no more streams.
    private func leave() {
        guard !isLeaving, let context, context.channel.isActive else { return }
        isLeaving = true
        let goAway = HTTP2Frame.FramePayload.goAway(
            lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
        context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: goAway)))
        // Of a connection without streams nobody would know that it has served its time, the server least of all.
        if openStreams == 0 { context.close(promise: nil) }
    }
}
