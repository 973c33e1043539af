import GRPCCore
import Locking
import NIOCore
import NIOHPACK
import NIOHTTP2

/// The calls that have not been written to the network. Such a call can be sent again, however it failed.
///
/// gRPC does not report whether a call was written. Therefore each call carries a number in a header, and a handler on
/// each HTTP/2 stream removes that header and the number when it writes the stream's first frame.
final class UnsentCalls: Sendable {
    static let header = "pair-call"
    private let calls = Locked<(last: Int, unsent: Set<Int>)>((0, []))

    /// Returns the number of a new call.
    func begin() -> Int {
        calls.withLock {
            $0.last += 1
            $0.unsent.insert($0.last)
            return $0.last
        }
    }

    /// Removes a call, and returns `false` if it had already been written or given up.
    @discardableResult
    func remove(_ number: Int) -> Bool { calls.withLock { $0.unsent.remove(number) != nil } }

    /// Adds the handlers to a new connection.
    func watch(connection: any Channel) -> EventLoopFuture<Void> {
        connection.eventLoop.makeCompletedFuture {
            try SettingsTimeout.add(to: connection, limit: .seconds(2))
            let pipeline = connection.pipeline.syncOperations
            try pipeline.addHandler(
                GoAwayHandler(), position: .after(try pipeline.handler(type: NIOHTTP2Handler.self)))
        }
    }

    func watch(stream: any Channel) -> EventLoopFuture<Void> {
        stream.eventLoop.makeCompletedFuture {
            let connection = try stream.parent?.pipeline.syncOperations.handler(type: GoAwayHandler.self)
            try stream.pipeline.syncOperations.addHandler(
                CallHandler(self, connection: connection), position: .first)
        }
    }
}

/// Tracks whether a connection still accepts new calls.
private final class GoAwayHandler: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    private(set) var isGoingAway = false
    private var context: ChannelHandlerContext?

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .goAway = unwrapInboundIn(data).payload { isGoingAway = true }
        context.fireChannelRead(data)
    }

    /// Makes gRPC close the connection once the calls in progress have ended, as if the server had sent a GOAWAY.
    func goAway() {
        guard !isGoingAway else { return }
        isGoingAway = true
        let frame = HTTP2Frame.FramePayload.goAway(lastStreamID: .maxID, errorCode: .noError, opaqueData: nil)
        context?.fireChannelRead(wrapInboundOut(HTTP2Frame(streamID: .rootStream, payload: frame)))
        context?.fireChannelReadComplete()
    }
}

/// Records when a call is written. If the caller has given the call up, it may have been sent again, so the handler
/// fails it instead of writing it. The handler also fails a call whose connection accepts no new calls: with
/// grpc-swift-nio-transport 2.9.2, such a call would break the connection and fail the calls in progress.
private final class CallHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTP2Frame.FramePayload
    typealias OutboundIn = HTTP2Frame.FramePayload
    typealias OutboundOut = HTTP2Frame.FramePayload
    private let calls: UnsentCalls
    private let connection: GoAwayHandler?

    init(_ calls: UnsentCalls, connection: GoAwayHandler?) {
        (self.calls, self.connection) = (calls, connection)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .headers(var first) = unwrapOutboundIn(data),
            let number = first.headers.first(name: UnsentCalls.header).flatMap({ Int($0) })
        else { return context.write(data, promise: promise) }
        guard connection?.isGoingAway != true, calls.remove(number) else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            context.fireErrorCaught(ChannelError.ioOnClosedChannel)
            return
        }
        first.headers.remove(name: UnsentCalls.header)
        first.headers.shortenTimeout()
        context.write(wrapOutboundOut(.headers(first)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .headers(let answer) = unwrapInboundIn(data), answer.headers.contains(name: RPCError.refused)
        {
            connection?.goAway()
        }
        context.fireChannelRead(data)
    }
}

extension HPACKHeaders {
    /// Shortens a call's timeout to at most seven digits, rounding up. A timeout has up to eight digits and a unit,
    /// but servers of grpc-swift-2 2.4.3 ignore timeouts with eight digits, such as `15000000u`.
    fileprivate mutating func shortenTimeout() {
        guard let timeout = first(name: "grpc-timeout"), timeout.count > 8,
            let amount = Int(timeout.dropLast()),
            let unit = ["n": "u", "u": "m", "m": "S"][timeout.suffix(1)]
        else { return }
        replaceOrAdd(name: "grpc-timeout", value: "\(amount / 1000 + 1)\(unit)")
    }
}
