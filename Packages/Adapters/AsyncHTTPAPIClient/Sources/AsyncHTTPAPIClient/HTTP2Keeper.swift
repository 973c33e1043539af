import NIOCore
import NIOHTTP2

/// A channel handler that works around three bugs in async-http-client's HTTP/2 connections.
///
/// - If a GOAWAY shows that the server has not processed a stream, the handler reports the stream as closed
///   with REFUSED_STREAM, which has the same meaning (RFC 9113, 6.8 and 8.7). Swift-nio-http2 would report
///   CANCEL, as if the server had reset the stream.
/// - If a request is cancelled after its stream was created but before anything was sent, the pool never
///   reuses the stream's slot. After a hundred such requests, all further requests to the host would wait
///   forever. So the connection of such a request opens no new streams, as after a GOAWAY, and closes when
///   its last stream ends.
/// - If a connection can no longer read frames, for example because a header block was too long, it is
///   closed. Otherwise it would stay in the pool, and requests over it would get no response.
///
/// The handler follows the `NIOHTTP2Handler` and ``HTTP2Resets`` in the connection's pipeline. It is
/// installed through debug hooks of async-http-client. If a later version has a different pipeline, nothing
/// is installed and the HTTP/2 tests fail.
final class HTTP2Keeper: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame

    private var context: ChannelHandlerContext?
    /// The last stream that the server may have processed, according to its GOAWAY.
    private var last: HTTP2StreamID?
    private var openStreams = 0
    private var isLeaving = false

    /// Adds this handler and ``HTTP2Resets`` to a new connection.
    static func keep(_ connection: any Channel) -> EventLoopFuture<Void> {
        connection.eventLoop.submit {
            let pipeline = connection.pipeline.syncOperations
            guard let frames = try? pipeline.handler(type: NIOHTTP2Handler.self) else { return }
            try pipeline.addHandlers(HTTP2Resets(), HTTP2Keeper(), position: .after(frames))
        }
    }

    /// Retires a new stream's connection if the stream closes before anything was sent on it.
    static func watch(_ stream: any Channel) -> EventLoopFuture<Void> {
        stream.closeFuture.whenComplete { _ in
            // A stream gets its ID with its first frame, so nothing was sent on a stream without an ID.
            let number = try? stream.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
            guard number == nil, let pipeline = stream.parent?.pipeline.syncOperations else { return }
            (try? pipeline.handler(type: HTTP2Keeper.self))?.leave()
        }
        return stream.eventLoop.makeSucceededVoidFuture()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    // A GOAWAY frame arrives before the events of the streams that it closes.
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

    /// Simulates a GOAWAY, so that the connection's other handlers open no more streams.
    private func leave() {
        guard !isLeaving, let context, context.channel.isActive else { return }
        isLeaving = true
        let goAway = HTTP2Frame.FramePayload.goAway(
            lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
        context.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: goAway)))
        // Without open streams, nothing would close the connection later: the server has not seen the
        // simulated GOAWAY.
        if openStreams == 0 { context.close(promise: nil) }
    }
}
