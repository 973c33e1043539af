import APIService
import AsyncHTTPClient
import Foundation
import NIOCore
import NIOPosix

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
    ///   - maximumConnectionsPerHost: How many connections to one host there are at most.
    ///   - connectTimeout: How long making a connection may take.
    ///   - redirects: What is sent to where a server redirects.
    public init(
        maximumConnectionsPerHost: Int = 8, connectTimeout: Duration = .seconds(10),
        redirects: RedirectPolicy = RedirectPolicy()
    ) {
        var configuration = HTTPClient.Configuration(
            redirectConfiguration: .disallow,
            timeout: .init(connect: .nanoseconds(Int64(connectTimeout / .nanoseconds(1)))),
            decompression: .enabled(limit: .none))
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = maximumConnectionsPerHost
        // A port where nobody listens is told at once, and not after the time limit.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.httpVersion = .automatic
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.redirects = redirects
    }

    deinit { client.shutdown { _ in } }

    /// An exchange in a task of its own.
    public func createStreamRequest(
        request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
        eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
    ) -> any APIRequestTask {
        APIStreamTask(eventHandler) { emit in
            do {
                try await self.exchange(request, upload, progressHandler, emit)
                emit(.end(nil))
            } catch {
                emit(.end(Self.transportError(error)))
            }
        }
    }

    private func exchange(
        _ request: URLRequest, _ upload: APIUpload?, _ progressHandler: APIProgressHandler?,
        _ emit: APIStreamTask.Emit
    ) async throws {
        var request = request
        var body = try RequestBody(request, upload)
        var followed = 0
        while true {
            let response = try await execute(outgoing(request, body, progressHandler))
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
            emit(.head(try Self.head(response, request)))
            for try await piece in response.body where piece.readableBytes > 0 {
                emit(.piece(Data(piece.readableBytesView)))
            }
            return
        }
    }

    /// A pooled connection that the server closes while it is taken from the pool is tried again, once, on
    /// another (async-http-client#715): nothing has been answered, and the method bears it.
    private func execute(_ request: HTTPClientRequest) async throws -> HTTPClientResponse {
        do {
            return try await client.execute(request, deadline: .distantFuture)
        } catch ChannelError.ioOnClosedChannel
            where APIRequestMethod(rawValue: request.method.rawValue).isIdempotent
        {
            return try await client.execute(request, deadline: .distantFuture)
        }
    }

    private func outgoing(
        _ request: URLRequest, _ body: RequestBody, _ progressHandler: APIProgressHandler?
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
        outgoing.body = body.outgoing(progressHandler)
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

    static func transportError(_ error: any Error) -> APITransportError {
        switch error {
        case is CancellationError: .cancelled
        case let error as HTTPClientError where error == .cancelled: .cancelled
        case let error as HTTPClientError where error == .connectTimeout: .unreachable(error)
        case is NIOConnectionError: .unreachable(error)
        case let error as IOError where error.errnoCode == ECONNREFUSED: .unreachable(error)
        default: .broken(error)
        }
    }
}
