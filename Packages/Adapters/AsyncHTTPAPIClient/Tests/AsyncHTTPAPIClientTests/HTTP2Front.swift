import APIServiceTesting
import Foundation
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOPosix
import NIOSSL

/// A proxy that accepts only HTTP/2 over TLS and forwards to a loopback server over plain HTTP/1.1. Each
/// stream has its own connection to the server. If this connection breaks, the stream is reset.
final class HTTP2Front: Sendable {
    /// The proxy's reaction to a stream that a client opens.
    enum Turn: Sendable {
        /// Forwards the stream to the server.
        case pass
        /// Resets the stream without forwarding it.
        case reset(HTTP2ErrorCode)
        /// Forwards the stream and sends a GOAWAY that refuses all later streams of the connection.
        case last
        /// Sends a GOAWAY that refuses this and all later streams of the connection.
        case over
        /// Closes the connection without a GOAWAY.
        case drop
        /// Responds with these frames without forwarding the stream.
        case frames([HTTP2Frame.FramePayload])
    }

    /// The number of connections and streams that clients have opened.
    struct Count: Sendable {
        var connections = 0
        var streams = 0
    }

    private let counted = Recorded(Count())
    private let clients = Recorded<[any Channel]>([])
    private let turn: @Sendable (_ number: Int) -> Turn

    private init(_ turn: @escaping @Sendable (Int) -> Turn) { self.turn = turn }

    /// The number of connections and streams so far.
    var count: Count { counted.value }

    /// Holds back the data that clients send until ``open()`` is called. The server's responses are still sent.
    func shut() async throws { try await gates { $0.shut() } }

    /// Passes on the data held back since ``shut()``, and all later data.
    func open() async throws { try await gates { $0.open() } }

    private func gates(_ body: @escaping @Sendable (Gate) -> Void) async throws {
        for client in clients.value {
            try await client.eventLoop.submit {
                body(try client.pipeline.syncOperations.handler(type: Gate.self))
            }.get()
        }
    }

    /// Runs `body` with a proxy for `server` and the proxy's URL.
    ///
    /// - Parameters:
    ///   - certificate: The certificate that the proxy presents.
    ///   - server: The server to which the proxy forwards.
    ///   - maximumStreams: The number of concurrent streams per connection that the proxy announces to
    ///     clients.
    ///   - turn: Returns the reaction to a stream. Streams are numbered from 1 across all connections.
    ///   - body: The code to run. The proxy stops when `body` returns or throws.
    static func serve(
        _ certificate: TestCertificate, before server: LoopbackServer, maximumStreams: Int = 100,
        turn: @escaping @Sendable (_ number: Int) -> Turn = { _ in .pass },
        _ body: (HTTP2Front, URL) async throws -> Void
    ) async throws {
        let front = HTTP2Front(turn)
        let listener = try await front.listen(certificate, server.port, maximumStreams).get()
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(front, try listener.httpsURL))
        } catch {
            result = .failure(error)
        }
        try await listener.close().get()
        try result.get()
    }

    /// Creates a proxy for the server on `port`. The server need not accept requests yet.
    static func front(_ certificate: TestCertificate, before port: Int) throws -> LoopbackServer.Front {
        let listener = try HTTP2Front { _ in .pass }.listen(certificate, port, 100).wait()
        return LoopbackServer.Front(base: try listener.httpsURL) { listener.close(promise: nil) }
    }

    private func listen(_ certificate: TestCertificate, _ port: Int, _ maximumStreams: Int) throws
        -> EventLoopFuture<any Channel>
    {
        let context = try certificate.context(protocols: ["h2"])
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: maximumStreams)
        ]
        let configuration = connection
        return ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 256)
            .childChannelInitializer { client in
                self.counted.update { $0.connections += 1 }
                self.clients.update { $0.append(client) }
                return client.eventLoop.makeCompletedFuture {
                    try client.pipeline.syncOperations.addHandler(Gate())
                    try client.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
                    _ = try client.pipeline.syncOperations.configureHTTP2Pipeline(
                        mode: .server, connectionConfiguration: configuration, streamConfiguration: .init()
                    ) { self.take($0, before: port) }
                    try client.pipeline.syncOperations.addHandler(Closer())
                }
            }
            .bind(host: "127.0.0.1", port: 0)
    }

    /// Sets up a new stream according to its ``Turn``.
    private func take(_ stream: any Channel, before port: Int) -> EventLoopFuture<Void> {
        let number = counted.update { count in
            count.streams += 1
            return count.streams
        }
        switch turn(number) {
        case .pass: return relay(stream, port)
        case .last: return goAway(stream, isLast: true).flatMap { self.relay(stream, port) }
        case .over: return goAway(stream, isLast: false)
        case .reset(let code): return answer(stream, [.rstStream(code)])
        case .frames(let frames): return answer(stream, frames)
        case .drop:
            stream.parent?.close(promise: nil)
            return stream.eventLoop.makeSucceededVoidFuture()
        }
    }

    private func goAway(_ stream: any Channel, isLast: Bool) -> EventLoopFuture<Void> {
        stream.getOption(HTTP2StreamChannelOptions.streamID).map { id in
            let before = id > 1 ? HTTP2StreamID(Int(id) - 2) : .rootStream
            let frame = HTTP2Frame(
                streamID: .rootStream,
                payload: .goAway(lastStreamID: isLast ? id : before, errorCode: .noError, opaqueData: nil))
            stream.parent?.writeAndFlush(frame, promise: nil)
        }
    }

    private func answer(_ stream: any Channel, _ frames: [HTTP2Frame.FramePayload]) -> EventLoopFuture<Void> {
        stream.eventLoop.makeCompletedFuture {
            try stream.pipeline.syncOperations.addHandler(Answer(frames))
        }
    }

    private func relay(_ stream: any Channel, _ port: Int) -> EventLoopFuture<Void> {
        ClientBootstrap(group: stream.eventLoop).connect(host: "127.0.0.1", port: port).flatMap { back in
            stream.eventLoop.makeCompletedFuture {
                try stream.pipeline.syncOperations.addHandlers(
                    Resetter(), HTTP2FramePayloadToHTTP1ServerCodec(), Forth(to: back))
                try back.pipeline.syncOperations.addHandlers(
                    HTTPRequestEncoder(),
                    ByteToMessageHandler(
                        HTTPResponseDecoder(
                            leftOverBytesStrategy: .dropBytes, informationalResponseStrategy: .forward)),
                    Back(to: stream))
            }
        }
    }
}

/// A handler that holds back incoming data between ``shut()`` and ``open()``.
private final class Gate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private var context: ChannelHandlerContext?
    private var kept: [NIOAny]?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if kept == nil { context.fireChannelRead(data) } else { kept?.append(data) }
    }

    func shut() { kept = kept ?? [] }

    func open() {
        let data = kept ?? []
        kept = nil
        for data in data { context?.fireChannelRead(data) }
        context?.fireChannelReadComplete()
    }
}

/// Responds with the given frames when a stream receives its first frame.
private final class Answer: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    private var frames: [HTTP2Frame.FramePayload]

    init(_ frames: [HTTP2Frame.FramePayload]) { self.frames = frames }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        for frame in frames { context.write(wrapOutboundOut(frame), promise: nil) }
        frames = []
        context.flush()
    }
}

/// Resets a stream when an `HTTP2ErrorCode` is triggered as an outbound event.
private final class Resetter: ChannelOutboundHandler {
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload

    func triggerUserOutboundEvent(
        context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?
    ) {
        guard let code = event as? HTTP2ErrorCode else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        context.writeAndFlush(wrapOutboundOut(.rstStream(code)), promise: promise)
    }
}

/// Forwards a stream's request to the server, and pauses reading the response while the stream is not
/// writable.
private final class Forth: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    private let server: any Channel

    init(to server: any Channel) { self.server = server }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part: HTTPClientRequestPart =
            switch unwrapInboundIn(data) {
            case .head(var head):
                {
                    head.version = .http1_1
                    return .head(head)
                }()
            case .body(let piece): .body(.byteBuffer(piece))
            case .end(let trailers): .end(trailers)
            }
        server.pipeline.syncOperations.writeAndFlush(NIOAny(part), promise: nil)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        server.setOption(.autoRead, value: context.channel.isWritable).whenComplete { _ in }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        server.close(promise: nil)
        context.fireChannelInactive()
    }

    // Errors are not reported, because clients reset streams on purpose in these tests.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}

/// Forwards the server's response to the stream, and resets the stream if the response is truncated.
private final class Back: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let stream: any Channel
    private var isWhole = false

    init(to stream: any Channel) { self.stream = stream }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part: HTTPServerResponsePart
        switch unwrapInboundIn(data) {
        case .head(let head): part = .head(head)
        case .body(let piece): part = .body(.byteBuffer(piece))
        case .end(let trailers):
            part = .end(trailers)
            isWhole = true
        }
        stream.pipeline.syncOperations.writeAndFlush(NIOAny(part), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if !isWhole { reset() }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !isWhole { reset() }
        context.close(promise: nil)
    }

    private func reset() {
        isWhole = true
        stream.pipeline.syncOperations.triggerUserOutboundEvent(HTTP2ErrorCode.internalError, promise: nil)
    }
}

/// Closes a client's connection on any error.
private final class Closer: ChannelInboundHandler {
    typealias InboundIn = Never

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
