import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPCompression

/// A channel handler for responses that async-http-client 1.37.0 does not survive, or reports as errors.
///
/// - A status below 100 is an error. async-http-client takes such a response for an informational one, and its end
///   would end the process.
/// - A response to HEAD, or one with an empty body, may have a Content-Encoding. The decompressor would report that its
///   body is truncated, so the response goes around the decompressor.
/// - `x-gzip` means `gzip`, `identity` means no coding, and the case of a coding does not matter (RFC 9110, 8.4.1). The
///   decompressor knows only `gzip` and `deflate`.
/// - The decompressor would decode the final response with the coding of an informational one, so informational
///   responses lose the field.
///
/// The handler directly follows the decoder in the pipeline of a connection or of an HTTP/2 stream. It is installed
/// through debug hooks of async-http-client. If a later version has a different pipeline, nothing is installed and the
/// conformance checks fail.
final class ResponseGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    /// The server sent a status that is not a number from 100 to 999.
    struct InvalidStatus: Error, CustomStringConvertible {
        let status: String
        var description: String { "the server sent the status \(status), which is not between 100 and 999" }
    }

    /// A head with a Content-Encoding, until it is known whether a body follows.
    private var codedHead: HTTPResponseHead?
    private var isBroken = false

    /// Adds the handler to a new connection that uses HTTP/1.1.
    static func guardConnection(_ connection: any Channel) -> EventLoopFuture<Void> {
        connection.eventLoop.submit {
            let pipeline = connection.pipeline.syncOperations
            guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPResponseDecoder>.self)
            else {
                return
            }
            try pipeline.addHandler(ResponseGuard(), position: .after(decoder))
        }
    }

    /// Adds the handler, ``HTTP2StatusGuard`` and ``HTTP2EndGuard`` to a new HTTP/2 stream.
    ///
    /// Must be called on the stream's event loop. The future succeeds immediately: async-http-client then hands the request
    /// over, and if the connection closed before, it would end the process (async-http-client#922).
    static func guardStream(_ stream: any Channel) -> EventLoopFuture<Void> {
        stream.eventLoop.makeCompletedFuture {
            let pipeline = stream.pipeline.syncOperations
            guard let decoder = try? pipeline.handler(type: HTTP2FramePayloadToHTTP1ClientCodec.self) else {
                return
            }
            try pipeline.addHandler(HTTP2StatusGuard(), position: .before(decoder))
            try pipeline.addHandlers(HTTP2EndGuard(), ResponseGuard(), position: .after(decoder))
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        let part = unwrapInboundIn(data)
        if case .head(var head) = part {
            guard head.status.code >= 100 else {
                isBroken = true
                return context.fireErrorCaught(InvalidStatus(status: "\(head.status.code)"))
            }
            let codings = Codings.content(head.headers)
            if head.status.code < 200 {
                head.headers.remove(name: "Content-Encoding")
                return context.fireChannelRead(wrapInboundOut(.head(head)))
            }
            if !codings.isEmpty {
                head.headers.replaceOrAdd(name: "Content-Encoding", value: codings.joined(separator: ", "))
                codedHead = head
                return
            }
        } else if let head = codedHead {
            codedHead = nil
            let decompressor = try? context.pipeline.syncOperations.context(
                handlerType: NIOHTTPResponseDecompressor.self)
            if case .end = part, let decompressor {
                decompressor.fireChannelRead(wrapInboundOut(.head(head)))
                return decompressor.fireChannelRead(data)
            }
            context.fireChannelRead(wrapInboundOut(.head(head)))
        }
        context.fireChannelRead(data)
    }
}

/// A channel handler that drops the events of an HTTP/2 stream after its response. If a server responds before it has
/// received the whole request, and then resets the stream or closes the connection, async-http-client 1.37.0 would look for
/// the request, which has ended, and end the process (async-http-client#922).
private final class HTTP2EndGuard: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    private var isOver = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .end = unwrapInboundIn(data) { isOver = true }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) { if !isOver { context.fireChannelInactive() } }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if !isOver { context.fireChannelWritabilityChanged() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isOver { context.fireErrorCaught(error) }
    }
}

/// A channel handler that rejects a status of an HTTP/2 response that is not a number of three digits. Otherwise
/// swift-nio-http2 1.46.0 converts a negative number to an unsigned one, which would end the process.
private final class HTTP2StatusGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    private var isBroken = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        if case .headers(let frame) = unwrapInboundIn(data),
            let status = frame.headers.first(name: ":status"),
            status.utf8.count != 3
                || !status.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains)
        {
            isBroken = true
            return context.fireErrorCaught(ResponseGuard.InvalidStatus(status: status.debugDescription))
        }
        context.fireChannelRead(data)
    }
}
