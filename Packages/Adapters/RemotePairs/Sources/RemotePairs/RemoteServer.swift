import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import ServiceLifecycle
import Synchronization

/// Serves pairs to other processes, on one address.
///
/// All operations are thread-safe.
public final class RemoteServer: Service {
    public struct Options: Sendable {
        /// The maximum size of a call's arguments, of an answer, and of an element of a stream.
        public var maximumBytes = 4 << 20
        /// The time that calls and streams under way get to finish when the server stops.
        public var grace = Duration.seconds(10)
        /// Called after each call, and after the end of each stream.
        public var onCall: (@Sendable (RemoteCallRecord) -> Void)?

        public init() {}
    }

    private let server: GRPCServer<HTTP2ServerTransport.Posix>
    private let options: Options
    private let calls: ServedCalls
    /// Ends when ``stop()`` is called.
    private let stopped = AsyncStream.makeStream(of: Never.self)

    /// - Throws: ``RemoteSetupError`` if the security does not fit the address or a certificate cannot be used.
    public init(
        _ services: [RemoteService], on address: RemoteAddresses, security: RemoteSecurity = .loopback,
        options: Options = Options()
    ) throws(RemoteSetupError) {
        try security.check(address)
        calls = ServedCalls(options)
        var router = RPCRouter<HTTP2ServerTransport.Posix>()
        for service in services { calls.register(service, with: &router) }
        self.options = options
        server = GRPCServer(
            transport: HTTP2ServerTransport.Posix(
                address: try address.listeningAddress(), transportSecurity: security.server,
                config: .defaults { $0.rpc.maxRequestPayloadSize = options.maximumBytes }),
            router: router)
    }

    /// The address that the server listens on, with the port that the system chose if the port was 0. Waits until the
    /// server listens.
    public var address: String {
        get async throws {
            let address = try await server.transport.listeningAddress
            if let address = address.ipv6 { return "[\(address.host)]:\(address.port)" }
            guard let address = address.ipv4 else { return String(describing: address) }
            return "\(address.host):\(address.port)"
        }
    }

    /// Serves calls, and returns when the server has stopped, or at once if it was stopped before. When the task is
    /// cancelled, all calls are cancelled.
    ///
    /// - Throws: An error if the address is in use, or if the server already runs.
    public func run() async throws {
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [server] in
                    do { try await server.serve() } catch let error as RuntimeError
                        where error.code == .serverIsStopped
                    {}
                }
                group.addTask { [stopped, options] in
                    for await _ in stopped.stream {}
                    try await Task.sleep(for: options.grace)
                }
                try await group.next()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.stop()
        }
    }

    /// Refuses new calls. Calls and streams under way may finish within the grace period, and are then cancelled.
    public func stop() {
        calls.isStopping.store(true, ordering: .relaxed)
        server.beginGracefulShutdown()
        stopped.continuation.finish()
    }
}

/// Runs the calls of a server.
private final class ServedCalls: Sendable {
    let isStopping = Atomic(false)
    private let options: RemoteServer.Options

    init(_ options: RemoteServer.Options) { self.options = options }

    func register(_ service: RemoteService, with router: inout RPCRouter<HTTP2ServerTransport.Posix>) {
        let limit = options.maximumBytes
        for (method, handler) in service.handlers {
            router.registerHandler(forMethod: method, deserializer: Bytes(), serializer: Bytes()) {
                request, context in
                try service.pair.check(request.metadata)
                let request = try await ServerRequest(stream: request)
                switch handler {
                case .unary(let answer):
                    let (message, _) = try await self.run(service.pair, request, context) {
                        try await answer(request.message, limit)
                    } outcome: {
                        $0.1
                    }
                    return StreamingServerResponse(single: ServerResponse(message: message))
                case .stream(let answer):
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

    /// Runs a call in a task that is cancelled when the caller is gone or its deadline has passed.
    ///
    /// gRPC also reports a graceful stop of the server as a cancellation. Calls under way ignore it.
    private func run<Value: Sendable>(
        _ pair: RemotePair, _ request: ServerRequest<Data>, _ context: ServerContext,
        _ body: @escaping @Sendable () async throws -> Value,
        outcome: (Value) -> RemoteCallRecord.Outcome
    ) async throws -> Value {
        let began = options.onCall == nil ? nil : ContinuousClock.now
        let task = Task { try await TraceHeaders.run(request.metadata, body) }
        let cancel: @Sendable () -> Void = {
            if !self.isStopping.load(ordering: .relaxed) { task.cancel() }
        }
        let result = await withTaskCancellationHandler {
            await withRPCCancellationHandler {
                // The handler is not called for a call that was cancelled before this point.
                if context.cancellation.isCancelled { cancel() }
                return await task.result
            } onCancelRPC: {
                cancel()
            }
        } onCancel: {
            task.cancel()
        }
        if let began { report(result.map(outcome), pair, context, began.duration(to: .now)) }
        return try result.get()
    }

    private func report(
        _ result: Result<RemoteCallRecord.Outcome, any Error>, _ pair: RemotePair, _ context: ServerContext,
        _ duration: Duration
    ) {
        let method = context.descriptor.method
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
        options.onCall?(
            RemoteCallRecord(
                pair: pair.name, method: method, address: context.remotePeer, duration: duration,
                outcome: outcome))
    }
}
