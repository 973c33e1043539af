import APICache
import APIService
import APIServiceTesting
import AsyncHTTPAPIClient
import FlyingFox
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Runs the whole service over each transport against a third-party HTTP server.
@Suite("APIService against a FlyingFox server", .serialized)
struct RealServerTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct TextRequest: APIRequest {
        typealias Response = Data
        var baseURL: URL
        var path: String
        var method = APIRequestMethod.get
        var cache: APICache?
        var retry: APIRetryPolicy?
    }

    /// Runs `body` with the URL of a server that responds with `handler`, then stops the server.
    private func serve(
        _ handler: @escaping @Sendable (HTTPRequest) async throws -> HTTPResponse,
        _ body: (URL) async throws -> Void
    ) async throws {
        let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
        await server.appendRoute("*", handler: handler)
        let running = Task { try await server.run() }
        defer { running.cancel() }
        try await server.waitUntilListening(timeout: 600)
        guard case .ip4(_, let port) = await server.listeningAddress,
            let url = URL(string: "http://127.0.0.1:\(port)")
        else { throw CocoaError(.featureUnsupported) }
        try await body(url)
        await server.stop()
    }

    private func service(_ transport: Transport) -> APIService {
        var settings = APISettings()
        settings.cacheTool = CacheTool(folder: folder.file(UUID().uuidString))
        settings.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .milliseconds(1))
        return APIService(client: transport.client(), config: APIConfig(settings))
    }

    @Test("A request is retried after 503 and after 429 with Retry-After", arguments: Transport.allCases)
    func retries(transport: Transport) async throws {
        let statuses = Recorded([503, 429, 200])
        try await serve { _ in
            let status = statuses.update { $0.count > 1 ? $0.removeFirst() : $0[0] }
            return HTTPResponse(
                statusCode: .init(status, phrase: "S"),
                headers: HTTPHeaders([HTTPHeader("Retry-After"): "0"]), body: Data("\(status)".utf8))
        } _: { url in
            let response = await service(transport).response(to: TextRequest(baseURL: url, path: "/a"))
            #expect(response.result.value == Data("200".utf8))
            #expect(response.explanation.attempts == 3)
        }
    }

    @Test(
        "After a 304, the validated response comes from the cache", arguments: Transport.allCases)
    func validation(transport: Transport) async throws {
        try await serve { request in
            let isKnown = request.headers[HTTPHeader("If-None-Match")] == "\"v1\""
            return HTTPResponse(
                statusCode: isKnown ? .notModified : .ok,
                headers: HTTPHeaders([HTTPHeader("ETag"): "\"v1\""]),
                body: isKnown ? Data() : Data("body".utf8))
        } _: { url in
            var cache = APICache()
            (cache.readMode, cache.writeMode, cache.expiry) = (.cancelNetwork, .memoryAndDisk, .seconds(0))
            let service = service(transport)
            let request = TextRequest(baseURL: url, path: "/a", cache: cache)
            #expect(await service.response(to: request).source == .network)
            let second = await service.response(to: request)
            #expect(second.source == .validated)
            #expect(second.result.value == Data("body".utf8))
        }
    }
}
