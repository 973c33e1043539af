import Foundation
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import ServiceLifecycle

/// Calls pairs in another process.
///
/// All tasks can use one connection for all pairs at its addresses. Calls that are made before ``run()`` wait for it.
/// All operations are thread-safe.
public final class RemoteConnection: Service {
    public struct Options: Sendable {
        /// The maximum time of a call. For a stream, the maximum time until the server has opened it.
        public var deadline = Duration.seconds(10)
        /// The maximum size of a call's arguments, of an answer, and of an element of a stream.
        public var maximumBytes = 4 << 20
        public var balancing = RemoteBalancing.first
        /// Called after each call, and after the opening of each stream.
        public var onCall: (@Sendable (RemoteCallRecord) -> Void)?

        public init() {}
    }

    let addresses: RemoteAddresses
    let options: Options
    let client: GRPCClient<HTTP2ClientTransport.Posix>
    /// gRPC's options for calls and for streams.
    let unary, stream: CallOptions
    let unsentCalls = UnsentCalls()
    private let running = Running()

    /// - Throws: ``RemoteSetupError`` if the addresses need TLS or contain port 0, or if a certificate cannot be used.
    public init(
        to addresses: RemoteAddresses, security: RemoteSecurity = .loopback, options: Options = Options()
    ) throws(RemoteSetupError) {
        let (target, files) = (try addresses.target(options.balancing), try security.files(for: addresses))
        (self.addresses, self.options) = (addresses, options)
        do {
            client = GRPCClient(
                transport: try HTTP2ClientTransport.Posix(
                    target: target, transportSecurity: files?.client ?? .plaintext,
                    config: .defaults { [unsentCalls] in Self.configure(&$0, unsentCalls) },
                    resolverRegistry: Self.resolvers,
                    serviceConfig: ServiceConfig(loadBalancingConfig: [options.balancing.config])))
        } catch {
            throw RemoteSetupError.transport(error, "connection to '\(addresses)'")
        }
        var call = CallOptions.defaults
        call.maxRequestMessageBytes = options.maximumBytes
        call.maxResponseMessageBytes = options.maximumBytes
        stream = call
        call.timeout = options.deadline
        unary = call
    }

    /// Connects, and returns when the connection has stopped, or immediately if it was stopped before.
    ///
    /// - Throws: ``RemoteSetupError`` if this method is called twice. Network failures are thrown by the calls to the
    ///   pairs.
    public func run() async throws {
        try running.begin("connection to '\(addresses)'")
        try await withGracefulShutdownHandler {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { [client] in
                    do { try await client.runConnections() } catch let error as RuntimeError
                        where error.code == .clientIsStopped
                    {}
                }
                group.addTask { [running, options] in
                    await running.untilStopped()
                    try await Task.sleep(for: options.deadline)
                }
                try await group.next()
                group.cancelAll()
            }
        } onGracefulShutdown: {
            self.stop()
        }
    }

    /// Refuses new calls. ``run()`` returns when the calls and streams in progress have ended. After
    /// ``Options/deadline``, it ends the remaining ones.
    public func stop() {
        client.beginGracefulShutdown()
        running.stop()
    }

    private static var resolvers: NameResolverRegistry {
        var resolvers = NameResolverRegistry.defaults
        resolvers.registerFactory(StaticResolver())
        return resolvers
    }

    private static func configure(_ config: inout HTTP2ClientTransport.Posix.Config, _ calls: UnsentCalls) {
        // With these settings, a restarted server is noticed within about two seconds. By default, gRPC waits up to two
        // minutes.
        config.backoff = .init(initial: .milliseconds(100), max: .seconds(2), multiplier: 1.6, jitter: 0.2)
        // Pings detect a server that hangs or whose machine has disappeared. With grpc-swift-nio-transport 2.9.2, a
        // `timeout` longer than `time` never expires, and without `allowWithoutCalls`, there are no pings after the
        // first call has ended.
        config.connection.keepalive = .init(
            time: .seconds(10), timeout: .seconds(8), allowWithoutCalls: true)
        // A server may send twice this many bytes of a stream ahead of the reader. By default, it may send 8 MiB.
        config.http2.targetWindowSize = 256 << 10
        config.channelDebuggingCallbacks.onCreateTCPConnection = { calls.watch(connection: $0) }
        config.channelDebuggingCallbacks.onCreateHTTP2Stream = { calls.watch(stream: $0) }
    }
}

/// How calls are distributed among the addresses of a list.
public enum RemoteBalancing: Sendable, CaseIterable {
    /// All calls go to the first address that answers. The others are used when it fails.
    case first
    /// Each call goes to the next address that answers.
    case roundRobin

    var config: ServiceConfig.LoadBalancingConfig {
        switch self {
        case .first: .pickFirst(shuffleAddressList: false)
        case .roundRobin: .roundRobin
        }
    }
}

extension RemoteSetupError {
    static func transport(_ error: any Error, _ place: String) -> RemoteSetupError {
        let cause = (error as? RuntimeError)?.cause ?? error
        return RemoteSetupError(
            place: "the \(place)", what: "the certificates cannot be used: \(cause)",
            why: "mutual TLS needs a certificate, its own key and the authority that signs the other side's",
            fix:
                "check the three PEM files, for example with the command `openssl x509 -noout -text -in FILE`"
        )
    }
}
