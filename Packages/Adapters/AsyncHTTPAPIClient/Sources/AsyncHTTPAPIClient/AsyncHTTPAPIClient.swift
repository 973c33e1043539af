import APITransport
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOSSL

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// An API client based on async-http-client, for servers and heavy use on Linux, where `URLSession` has bugs.
///
/// The client shuts down its `HTTPClient` on deinitialization, unless the app passed its own. (Releasing an
/// `HTTPClient` without a shutdown ends the process; see async-http-client#478.) Running exchanges keep the client
/// alive.
///
/// All operations are thread-safe.
public final class AsyncHTTPAPIClient: APIStreamingClient {
    private let client: HTTPClient
    /// A separate pool for event streams. A stream occupies its connection for a long time, so in a shared
    /// pool the streams could use up all connections, and other requests would have to wait.
    private let streams: HTTPClient
    /// Whether `deinit` shuts the clients down.
    private let ownsClients: Bool
    private let redirects: RedirectPolicy
    private let onPoolTimeout: @Sendable () -> Void
    private let watch = SilenceWatch()

    /// Creates a client with its own connection pool.
    ///
    /// - Parameters:
    ///   - maximumConnectionsPerHost: The maximum number of HTTP/1.1 connections to one host, not counting
    ///     the connections of event streams. Over HTTP/2, all exchanges with a host share one connection.
    ///   - connectTimeout: The maximum time to open a connection. Only the request's own limits
    ///     apply to the wait for a connection from the pool.
    ///   - redirects: The policy for following redirects.
    public convenience init(
        maximumConnectionsPerHost: Int = 8, connectTimeout: Duration = .seconds(10),
        redirects: RedirectPolicy = RedirectPolicy()
    ) {
        self.init(
            configuration: Self.configuration(maximumConnectionsPerHost, connectTimeout),
            redirects: redirects)
    }

    /// Creates a client that trusts additional certificates besides the system's, such as those of a company's own
    /// certificate authority.
    ///
    /// - Parameters:
    ///   - trustedCertificates: A PEM file with the additional certificates.
    ///   - maximumConnectionsPerHost: The maximum number of HTTP/1.1 connections to one host, not counting
    ///     the connections of event streams. Over HTTP/2, all exchanges with a host share one connection.
    ///   - connectTimeout: The maximum time to open a connection. Only the request's own limits
    ///     apply to the wait for a connection from the pool.
    ///   - redirects: The policy for following redirects.
    /// - Throws: `NIOSSLError` if the file cannot be read or is not a PEM file with certificates.
    public convenience init(
        trustedCertificates: URL, maximumConnectionsPerHost: Int = 8,
        connectTimeout: Duration = .seconds(10), redirects: RedirectPolicy = RedirectPolicy()
    ) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = [
            .certificates(try NIOSSLCertificate.fromPEMFile(trustedCertificates.path))
        ]
        var configuration = Self.configuration(maximumConnectionsPerHost, connectTimeout)
        configuration.tlsConfiguration = tls
        self.init(configuration: configuration, redirects: redirects)
    }

    /// Creates a client with a configuration, for example with a proxy or a client certificate. Start from
    /// ``configuration(_:_:)``.
    ///
    /// - Parameters:
    ///   - configuration: The configuration of the connections. The client applies ``prepare(_:pinnedKeys:)`` to it.
    ///   - pinnedKeys: See ``prepare(_:pinnedKeys:)``.
    ///   - redirects: The policy for following redirects.
    public convenience init(
        configuration: HTTPClient.Configuration, pinnedKeys: Set<String> = [],
        redirects: RedirectPolicy = RedirectPolicy()
    ) {
        self.init(
            configuration: configuration, pinnedKeys: pinnedKeys, redirects: redirects, onPoolTimeout: {})
    }

    /// - Parameter onPoolTimeout: Called when a request has waited for a pooled connection for the duration of the
    ///   connect timeout. The request then waits again.
    init(
        configuration: HTTPClient.Configuration, pinnedKeys: Set<String> = [],
        redirects: RedirectPolicy = RedirectPolicy(), onPoolTimeout: @escaping @Sendable () -> Void
    ) {
        var configuration = configuration
        Self.prepare(&configuration, pinnedKeys: pinnedKeys)
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1 << 16
        streams = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        (ownsClients, self.redirects, self.onPoolTimeout) = (true, redirects, onPoolTimeout)
    }

    /// Creates a client that sends requests through the app's own `HTTPClient`. The app must shut down the `HTTPClient`
    /// after its last use.
    ///
    /// Event streams use the `HTTPClient`'s connections too, so its maximum number of connections per host must exceed
    /// the number of streams. Create the `HTTPClient` with a configuration from ``configuration(_:_:)`` that
    /// ``prepare(_:pinnedKeys:)`` has changed. Otherwise the `HTTPClient` follows redirects itself and may send
    /// credentials to other servers.
    ///
    /// - Parameters:
    ///   - client: The `HTTPClient` that sends the requests.
    ///   - redirects: The policy for following redirects.
    public init(client: HTTPClient, redirects: RedirectPolicy = RedirectPolicy()) {
        (self.client, streams, ownsClients) = (client, client, false)
        (self.redirects, onPoolTimeout) = (redirects, {})
    }

    /// Prepares a configuration for this client: turns off automatic redirects, turns on decompression, requires TLS 1.2
    /// (RFC 8996), installs the workarounds for bugs, and pins public keys.
    ///
    /// - Parameters:
    ///   - configuration: The configuration to change.
    ///   - pinnedKeys: If not empty, the server's certificate must have one of these public keys, each
    ///     written as the Base64 of the SHA-256 of its SubjectPublicKeyInfo. A server with another key, or
    ///     without TLS, is reported as an `APIUntrustedServer`.
    public static func prepare(_ configuration: inout HTTPClient.Configuration, pinnedKeys: Set<String> = [])
    {
        configuration.redirectConfiguration = .disallow
        if case .disabled = configuration.decompression {
            configuration.decompression = .enabled(limit: .none)
        }
        var tls = configuration.tlsConfiguration ?? .makeClientConfiguration()
        if [.tlsv1, .tlsv11].contains(tls.minimumTLSVersion) { tls.minimumTLSVersion = .tlsv12 }
        configuration.tlsConfiguration = tls
        configuration.http1_1ConnectionDebugInitializer = { connection in
            PinnedKeys.check(pinnedKeys, of: connection).flatMap { ResponseGuard.guardConnection(connection) }
        }
        configuration.http2ConnectionDebugInitializer = { connection in
            PinnedKeys.check(pinnedKeys, of: connection).flatMap { HTTP2Keeper.keep(connection) }
        }
        configuration.http2StreamChannelDebugInitializer = { stream in
            HTTP2Keeper.watch(stream).flatMap { ResponseGuard.guardStream(stream) }
        }
    }

    /// Returns the default configuration. For the parameters, see
    /// ``init(maximumConnectionsPerHost:connectTimeout:redirects:)``.
    public static func configuration(
        _ maximumConnectionsPerHost: Int = 8, _ connectTimeout: Duration = .seconds(10)
    ) -> HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration(
            timeout: .init(connect: .nanoseconds(Int64(connectTimeout / .nanoseconds(1)))),
            decompression: .enabled(limit: .none))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = maximumConnectionsPerHost
        // A refused connection fails immediately instead of being retried until the timeout.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .automatic
        return configuration
    }

    /// The lowercase names of the header fields that carry credentials according to the redirect policy.
    public var credentialFields: Set<String> { redirects.credentialFields }

    deinit {
        guard ownsClients else { return }
        client.shutdown { _ in }
        streams.shutdown { _ in }
    }

    /// Creates an exchange, which runs in its own task once it is resumed.
    public func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        let redirects = redirects.ofCurrentRequest
        return APIStreamTask(eventHandler) { emit in
            do {
                let timedOut: @Sendable () -> Void = { emit(.end(.broken(URLError(.timedOut)))) }
                try await self.watch.run(seconds: request.timeoutInterval, end: timedOut) { limit in
                    try await self.exchange(request, upload, redirects, progressHandler, emit, limit)
                }
                emit(.end(nil))
            } catch {
                emit(.end(Self.transportError(error, host: request.url?.host)))
            }
        }
    }

    private func exchange(
        _ request: URLRequest, _ upload: APIUpload?, _ redirects: RedirectPolicy,
        _ progressHandler: APIProgressHandler?, _ emit: APIStreamTask.Emit, _ limit: SilenceLimit
    ) async throws {
        var request = request
        var body = upload ?? request.httpBody.map { .data($0) }
        var followed = 0
        while true {
            let response: HTTPClientResponse
            do {
                response = try await execute(outgoing(request, body, progressHandler, limit), limit)
            } catch let error as APIClosedConnection where followed > 0 {
                // The server has already processed the redirected request, so the service must not send that request
                // again.
                throw error.underlying
            }
            limit.moved()
            let head = try Self.head(response, request)
            if followed < redirects.limit,
                let next = redirects.next(
                    after: request, status: head.statusCode,
                    location: head.value(forHTTPHeaderField: "Location"))
            {
                // After a 303, the request has no body, even if its method was already GET.
                if head.statusCode == 303 || next.httpMethod != request.httpMethod { body = nil }
                request = next
                followed += 1
                continue
            }
            limit.outside { emit(.head(head)) }
            var isChecked = false
            for try await piece in response.body where piece.readableBytes > 0 {
                if !isChecked { try Codings.check(response.headers) }
                isChecked = true
                limit.outside { emit(.piece(Data(piece.readableBytesView))) }
            }
            return
        }
    }

    /// Sends a request.
    ///
    /// - Throws: `APIClosedConnection` for a request that the service may send again.
    private func execute(
        _ request: HTTPClientRequest, _ limit: SilenceLimit
    ) async throws -> HTTPClientResponse {
        let isStream = request.headers["Accept"].contains { $0.contains("text/event-stream") }
        while true {
            do {
                return try await (isStream ? streams : client).execute(request, deadline: .distantFuture)
            } catch let error as HTTPClientError where error == .getConnectionFromPoolTimeout {
                // All connections are in use, and the request waits again. This wait does not count as the server's
                // silence.
                limit.moved()
                onPoolTimeout()
            } catch  where Self.isNotBegun(error) {
                throw APIClosedConnection(isUnprocessed: true, underlying: error)
            } catch  where Self.isStale(error, request) {
                throw APIClosedConnection(isUnprocessed: false, underlying: error)
            }
        }
    }

    private func outgoing(
        _ request: URLRequest, _ body: APIUpload?, _ progressHandler: APIProgressHandler?,
        _ limit: SilenceLimit
    ) throws -> HTTPClientRequest {
        guard let url = request.url?.forHTTP else { throw LocalError(underlying: URLError(.badURL)) }
        var outgoing = HTTPClientRequest(url: url.absoluteString)
        outgoing.method = .init(rawValue: request.httpMethod ?? "GET")
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            outgoing.headers.replaceOrAdd(name: name, value: value)
        }
        if !outgoing.headers.contains(name: "Accept-Encoding") {
            outgoing.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        outgoing.body = try body?.outgoing(progressHandler, limit)
        return outgoing
    }

    private static func head(_ response: HTTPClientResponse, _ request: URLRequest) throws -> HTTPURLResponse
    {
        var fields = [String: (name: String, value: String)](minimumCapacity: response.headers.count)
        for (name, value) in response.headers {
            let key = name.lowercased()
            fields[key] = fields[key].map { ($0.name, $0.value + ", " + value) } ?? (name, value)
        }
        guard let url = request.url,
            let head = HTTPURLResponse(
                url: url, statusCode: Int(response.status.code), httpVersion: "\(response.version)",
                headerFields: Dictionary(uniqueKeysWithValues: fields.values.map { ($0.name, $0.value) }))
        else { throw URLError(.badServerResponse) }
        return head
    }
}
