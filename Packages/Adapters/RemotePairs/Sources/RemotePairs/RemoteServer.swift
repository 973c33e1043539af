import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Locking
import NIOCore
import NIOPosix
import ServiceLifecycle

/// Serves pairs to other processes, on one address.
///
/// All operations are thread-safe.
public final class RemoteServer: Service {
    public struct Options: Sendable {
        /// The maximum size of a call's arguments, of an answer, and of an element of a stream.
        public var maximumBytes = 4 << 20
        /// The time that calls and streams in progress get to finish when the server stops.
        public var grace = Duration.seconds(10)
        /// Called after each call, and after the end of each stream.
        public var onCall: (@Sendable (RemoteCallRecord) -> Void)?

        public init() {}
    }

    private let server: GRPCServer<HTTP2ServerTransport.Posix>
    private let options: Options
    private let calls: ServedCalls
    private let running = Running()

    /// - Throws: ``RemoteSetupError`` if the address needs TLS or is not a single address, or if a file cannot be read
    ///   or used.
    public init(
        _ services: [RemoteService], on address: RemoteAddresses, security: RemoteSecurity = .loopback,
        options: Options = Options()
    ) throws(RemoteSetupError) {
        let files = try security.files(for: address)
        let calls = ServedCalls(options)
        var router = RPCRouter<HTTP2ServerTransport.Posix>()
        for service in services { calls.register(service, with: &router) }
        (self.options, self.calls) = (options, calls)
        server = GRPCServer(
            transport: HTTP2ServerTransport.Posix(
                address: try address.listeningAddress(), transportSecurity: files?.server ?? .plaintext,
                config: .defaults {
                    $0.rpc.maxRequestPayloadSize = options.maximumBytes
                    // Clients ping every 10 s. By default, gRPC allows one ping every five minutes, and none without
                    // calls, and closes the connections of clients that send more.
                    $0.connection.keepalive.clientBehavior = .init(
                        minPingIntervalWithoutCalls: .seconds(5), allowWithoutCalls: true)
                    $0.connection.maxIdleTime = .seconds(300)
                    $0.channelDebuggingCallbacks.onAcceptTCPConnection = { connection in
                        connection.eventLoop.makeCompletedFuture {
                            try SettingsTimeout.add(to: connection, limit: .seconds(10))
                        }
                    }
                    $0.channelDebuggingCallbacks.onBindTCPListener = { calls.listens($0) }
                }),
            router: router)
    }

    /// The address that the server listens on, with the port that the system chose if the requested port was 0. Waits
    /// until the server listens.
    public var address: String {
        get async throws {
            let address = try await server.transport.listeningAddress
            if let address = address.ipv6 { return "[\(address.host)]:\(address.port)" }
            guard let address = address.ipv4 else { return String(describing: address) }
            return "\(address.host):\(address.port)"
        }
    }

    /// Serves calls, and returns when the server has stopped, or immediately if it was stopped before. When the task is
    /// cancelled, all calls are cancelled.
    ///
    /// - Throws: An error if the address is in use, or ``RemoteSetupError`` if this method is called twice.
    public func run() async throws {
        try running.begin("server")
        guard calls.phase == .serving else { return }
        let serving = Task { [server] in
            do { try await server.serve() } catch let error as RuntimeError
                where error.code == .serverIsStopped || Task.isCancelled
            {}
        }
        let closing = Task {
            await running.untilStopped()
            try await close()
            serving.cancel()
        }
        defer { closing.cancel() }
        try await withTaskCancellationHandler {
            try await withGracefulShutdownHandler {
                try await serving.value
            } onGracefulShutdown: {
                self.stop()
            }
        } onCancel: {
            calls.stop()
            Task {
                // During this pause, gRPC takes over the connections that have arrived. If gRPC were cancelled first,
                // those connections would crash the process.
                try await Task.sleep(for: .milliseconds(100))
                serving.cancel()
            }
        }
    }

    /// Refuses new calls. Calls and streams in progress may finish within the grace period, and are then cancelled.
    public func stop() {
        calls.stop()
        running.stop()
    }

    /// Closes the connections gracefully.
    ///
    /// With swift-nio-http2 1.46.0, a call that arrives while the server closes its connections can break a connection,
    /// and the calls in progress on it fail. Therefore the server first refuses calls, so that the callers disconnect.
    /// It closes the remaining connections when the calls in progress have ended, but after a second at the
    /// latest.
    private func close() async throws {
        let end = ContinuousClock.now + options.grace
        let limit = min(end, .now + .seconds(1))
        var before: (arrived: Int, isIdle: Bool)
        repeat {
            before = (calls.arrived, calls.isIdle)
            try await Task.sleep(for: .milliseconds(100))
        } while (calls.arrived != before.arrived || !before.isIdle) && .now < limit
        calls.close()
        await Self.settle()
        server.beginGracefulShutdown()
        try await Task.sleep(until: end, clock: .continuous)
    }

    /// Waits until gRPC's event loops have processed everything submitted to them so far.
    static func settle() async {
        let loops = NIOSingletons.posixEventLoopGroup.makeIterator()
        for seen in loops.map({ $0.submit {} }) { try? await seen.get() }
    }
}

/// Runs the calls of a server.
private final class ServedCalls: Sendable {
    private struct State {
        var phase = Phase.serving
        var underWay = 0
        var arrived = 0
    }

    enum Phase { case serving, stopping, closing }

    private let state = Locked(State())
    private let options: RemoteServer.Options

    init(_ options: RemoteServer.Options) { self.options = options }

    var phase: Phase { state.withLock(\.phase) }

    /// Whether no calls are in progress. Streams do not count.
    var isIdle: Bool { state.withLock { $0.underWay == 0 } }

    /// The number of calls that have arrived, including refused calls.
    var arrived: Int { state.withLock(\.arrived) }

    func listens(_ listener: any Channel) -> EventLoopFuture<Void> {
        listener.eventLoop.makeCompletedFuture {
            try listener.pipeline.syncOperations.addHandler(Entrance(self), position: .first)
        }
    }

    /// Refuses calls and connections.
    func stop() {
        state.withLock { if $0.phase == .serving { $0.phase = .stopping } }
    }

    func close() { state.withLock { $0.phase = .closing } }

    func register(_ service: RemoteService, with router: inout RPCRouter<HTTP2ServerTransport.Posix>) {
        let limit = options.maximumBytes
        for (method, handler) in service.handlers {
            router.registerHandler(forMethod: method, deserializer: Bytes(), serializer: Bytes()) {
                request, context in
                switch handler {
                case .unary(let answer):
                    try self.begin()
                    defer { self.end() }
                    let request = try await ServerRequest(stream: request)
                    let (message, _) = try await self.run(service.pair, request, context) {
                        try await answer(request.message, limit)
                    } outcome: {
                        $0.1
                    }
                    return StreamingServerResponse(single: ServerResponse(message: message))
                case .stream(let answer):
                    guard self.phase == .serving else { throw RPCError.refusal }
                    let request = try await ServerRequest(stream: request)
                    return StreamingServerResponse { writer in
                        _ = try await self.run(service.pair, request, context) {
                            try await answer(request.message, limit, writer)
                        } outcome: {
                            $0
                        }
                        return [:]
                    }
                }
            }
        }
    }

    private func begin() throws(RPCError) {
        let isServing = state.withLock {
            $0.arrived += 1
            if $0.phase == .serving { $0.underWay += 1 }
            return $0.phase == .serving
        }
        guard isServing else { throw .refusal }
    }

    private func end() { state.withLock { $0.underWay -= 1 } }

    /// Runs a call in a task that is cancelled when the caller is gone or the call's deadline has passed.
    ///
    /// gRPC also reports a graceful stop of the server as a cancellation. Calls in progress ignore that cancellation.
    private func run<Value: Sendable>(
        _ pair: RemotePair, _ request: ServerRequest<Data>, _ context: ServerContext,
        _ body: @escaping @Sendable () async throws -> Value,
        outcome: @escaping @Sendable (Value) -> RemoteCallRecord.Outcome
    ) async throws -> Value {
        let body = {
            try pair.check(request.metadata)
            return try await body()
        }
        let task = Task {
            try await TraceHeaders.run(request.metadata) {
                guard let onCall = options.onCall else { return try await body() }
                let began = ContinuousClock.now
                let result: Result<Value, any Error>
                do { result = .success(try await body()) } catch { result = .failure(error) }
                onCall(record(result.map(outcome), pair, context, began.duration(to: .now)))
                return try result.get()
            }
        }
        let cancel: @Sendable () -> Void = {
            if self.phase != .closing { task.cancel() }
        }
        return try await withTaskCancellationHandler {
            try await withRPCCancellationHandler {
                // The handler is not called for a call that was cancelled before this point.
                if context.cancellation.isCancelled { cancel() }
                return try await task.value
            } onCancelRPC: {
                cancel()
            }
        } onCancel: {
            task.cancel()
        }
    }

    private func record(
        _ result: Result<RemoteCallRecord.Outcome, any Error>, _ pair: RemotePair, _ context: ServerContext,
        _ duration: Duration
    ) -> RemoteCallRecord {
        let method = context.descriptor.requirement
        let outcome: RemoteCallRecord.Outcome
        switch result {
        case .success(let value): outcome = value
        case .failure(let error):
            let error = error as? RPCError ?? RPCError(code: .cancelled, message: String(describing: error))
            outcome = .failed(
                RemoteError(
                    pair: pair.name, method: method, address: context.remotePeer,
                    code: RemoteError.Code(error.code), detail: error.text))
        }
        return RemoteCallRecord(
            pair: pair.name, method: method, address: context.remotePeer, duration: duration,
            outcome: outcome)
    }
}

/// Closes the connections that arrive while the server is stopping, so that their callers use another server. With
/// swift-nio 2.101.2, a connection that arrives while its listener closes would crash the process.
private final class Entrance: ChannelInboundHandler {
    typealias InboundIn = any Channel
    private let calls: ServedCalls

    init(_ calls: ServedCalls) { self.calls = calls }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard calls.phase == .serving else { return unwrapInboundIn(data).close(promise: nil) }
        context.fireChannelRead(data)
    }
}
