import APIService
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import NIOSSL

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The client over async-http-client: the one to use on Linux servers and wherever `URLSession` is not trusted.
///
/// It owns an `HTTPClient` and shuts it down when it is freed, which it is not while exchanges are under way:
/// one that is dropped without that stops the process (async-http-client#478).
///
/// All operations are safe from every thread.
public final class AsyncHTTPAPIClient: APIStreamingClient {
    private let client: HTTPClient
    private let redirects: RedirectPolicy

    /// A client with a connection pool of its own.
    ///
    /// - Parameters:
    ///   - maximumConnectionsPerHost: How many connections to one host there are at most over HTTP/1.1. Over HTTP/2 all
    ///     exchanges share one.
    ///   - connectTimeout: How long getting a connection may take: making one, or waiting for one of the pool's.
    ///   - redirects: What is sent to where a server redirects.
    public convenience init(
        maximumConnectionsPerHost: Int = 8, connectTimeout: Duration = .seconds(10),
        redirects: RedirectPolicy = RedirectPolicy()
    ) {
        self.init(maximumConnectionsPerHost, connectTimeout, redirects, tls: nil)
    }

    /// A client that trusts other certificates besides the system's: those of a company's own authority, say.
    ///
    /// - Parameters:
    ///   - trustedCertificates: A PEM file of certificates.
    ///   - maximumConnectionsPerHost: How many connections to one host there are at most over HTTP/1.1. Over HTTP/2 all
    ///     exchanges share one.
    ///   - connectTimeout: How long getting a connection may take: making one, or waiting for one of the pool's.
    ///   - redirects: What is sent to where a server redirects.
    /// - Throws: `NIOSSLError` when the file cannot be read or is no PEM file of certificates.
    public convenience init(
        trustedCertificates: URL, maximumConnectionsPerHost: Int = 8,
        connectTimeout: Duration = .seconds(10), redirects: RedirectPolicy = RedirectPolicy()
    ) throws {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.additionalTrustRoots = [
            .certificates(try NIOSSLCertificate.fromPEMFile(trustedCertificates.path))
        ]
        self.init(maximumConnectionsPerHost, connectTimeout, redirects, tls: tls)
    }

    private init(
        _ maximumConnectionsPerHost: Int, _ connectTimeout: Duration, _ redirects: RedirectPolicy,
        tls: TLSConfiguration?
    ) {
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls, redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(Int64(connectTimeout / .nanoseconds(1)))),
            decompression: .enabled(limit: .none))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = maximumConnectionsPerHost
        // A port where nobody listens is told at once, and not after the time limit.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .automatic
        configuration.http2ConnectionDebugInitializer = HTTP2Keeper.keep
        configuration.http2StreamChannelDebugInitializer = HTTP2Keeper.watch
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.redirects = redirects
    }

    /// Those of the redirects' policy.
    public var credentialFields: Set<String> { redirects.credentialFields }

    deinit { client.shutdown { _ in } }

    /// An exchange in a task of its own.
    public func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        APIStreamTask(eventHandler) { emit in
            do {
                try await SilenceLimit.run(seconds: request.timeoutInterval) { limit in
                    try await self.exchange(request, upload, progressHandler, emit, limit)
                }
                emit(.end(nil))
            } catch {
                emit(.end(Self.transportError(error, host: request.url?.host)))
            }
        }
    }

    private func exchange(
        _ request: URLRequest, _ upload: APIUpload?, _ progressHandler: APIProgressHandler?,
        _ emit: APIStreamTask.Emit, _ limit: SilenceLimit
    ) async throws {
        var request = request
        var body = try RequestBody(request, upload)
        var followed = 0
        while true {
            let response = try await execute(outgoing(request, body, progressHandler, limit))
            limit.moved()
            if followed < redirects.limit,
                let next = redirects.next(
                    after: request, status: Int(response.status.code),
                    location: response.headers.first(name: "Location"))
            {
                if next.httpMethod != request.httpMethod { body = .none }
                request = next
                followed += 1
                continue
            }
            try limit.outside { emit(.head(try Self.head(response, request))) }
            for try await piece in response.body where piece.readableBytes > 0 {
                limit.outside { emit(.piece(Data(piece.readableBytesView))) }
            }
            return
        }
    }

    /// A request that came to nothing on its connection is sent again, on another, twice at most: what was not begun,
    /// and, for idempotent methods without a body, what the server closed the connection on before it had answered
    /// anything, as it does with pooled ones (async-http-client#715). Twice, because the pool may not know yet that the
    /// connection has gone, and hand it out again.
    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        for _ in 1...2 {
            do {
                return try await client.execute(request, deadline: .distantFuture)
            } catch  where Self.isNotBegun(error) || Self.isStale(error, request) {
                continue
            }
        }
        return try await client.execute(request, deadline: .distantFuture)
    }

    /// Whether the server has not begun the request: it says so by HTTP/2, or its connection was already closing when
    /// it was to be sent, which async-http-client calls cancelled.
    static func isNotBegun(_ error: any Error) -> Bool {
        if let error = error as? NIOHTTP2Errors.StreamClosed { return error.errorCode == .refusedStream }
        return error as? HTTPClientError == .cancelled && !Task.isCancelled
    }

    /// Whether the connection was closed with nothing answered, and the request may be sent once more. Neither error
    /// tells how much of it was written, so a body is not sent twice.
    static func isStale(_ error: any Error, _ request: HTTPClientRequest) -> Bool {
        guard request.body == nil, APIRequestMethod(rawValue: request.method.rawValue).isIdempotent else {
            return false
        }
        if case ChannelError.ioOnClosedChannel = error { return true }
        return error as? HTTPClientError == .remoteConnectionClosed
    }

    private func outgoing(
        _ request: URLRequest, _ body: RequestBody, _ progressHandler: APIProgressHandler?,
        _ limit: SilenceLimit
    ) throws -> HTTPClientRequest {
        guard let url = request.url else { throw URLError(.badURL) }
        var outgoing = HTTPClientRequest(url: url.absoluteString)
        outgoing.method = .init(rawValue: request.httpMethod ?? "GET")
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            outgoing.headers.replaceOrAdd(name: name, value: value)
        }
        if !outgoing.headers.contains(name: "Accept-Encoding") {
            outgoing.headers.add(name: "Accept-Encoding", value: "gzip, deflate")
        }
        outgoing.body = body.outgoing(progressHandler, limit)
        return outgoing
    }

    private static func head(_ response: HTTPClientResponse, _ request: URLRequest) throws -> HTTPURLResponse
    {
        var fields: [String: String] = [:]
        for (name, value) in response.headers {
            let name = fields.keys.first { $0.lowercased() == name.lowercased() } ?? name
            fields[name] = fields[name].map { $0 + ", " + value } ?? value
        }
        guard let url = request.url,
            let head = HTTPURLResponse(
                url: url, statusCode: Int(response.status.code), httpVersion: "\(response.version)",
                headerFields: fields)
        else { throw URLError(.badServerResponse) }
        return head
    }

    static func transportError(_ error: any Error, host: String?) -> APITransportError {
        switch error {
        case is CancellationError: .cancelled
        case let error as HTTPClientError where error == .cancelled && Task.isCancelled: .cancelled
        case let error as HTTPClientError where error == .connectTimeout: .unreachable(error)
        case is NIOConnectionError: .unreachable(error)
        case let error as IOError where error.errnoCode == ECONNREFUSED: .unreachable(error)
        case NIOSSLError.handshakeFailed(BoringSSLError.sslError(let errors))
        where errors.contains { $0.description.contains("CERTIFICATE_VERIFY_FAILED") }:
            .broken(APIUntrustedServer(host: host ?? "", underlying: error))
        case let error as NIOSSLExtraError
        where error == .failedToValidateHostname || error == .serverHostnameImpossibleToMatch:
            .broken(APIUntrustedServer(host: host ?? "", underlying: error))
        default: .broken(error)
        }
    }
}
