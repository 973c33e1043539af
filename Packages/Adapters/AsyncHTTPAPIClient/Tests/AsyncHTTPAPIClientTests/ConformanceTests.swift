import APIService
import APIServiceTesting
import APITransport
import AsyncHTTPClient
import Foundation
import NIOCore
import TestSupport
import Testing

@testable import AsyncHTTPAPIClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("AsyncHTTPAPIClient over HTTP/1.1", .serialized, .waitLimit)
struct ConformanceTests {
    @Test(
        "AsyncHTTPAPIClient passes the client conformance checks", arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(AsyncHTTPAPIClient())
    }

    @Test(
        "With the app's own HTTPClient, AsyncHTTPAPIClient passes the conformance checks and does not shut it down",
        arguments: APIClientConformance.checks)
    func injected(check: APIClientConformance.Check) async throws {
        var configuration = AsyncHTTPAPIClient.configuration()
        AsyncHTTPAPIClient.prepare(&configuration)
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        do {
            try await check.run(AsyncHTTPAPIClient(client: client))
            let server = try LoopbackServer.faulty()
            let response = try await client.execute(
                HTTPClientRequest(url: server.url("/echo").absoluteString), timeout: .seconds(10))
            #expect(response.status == .ok)
        } catch {
            try await client.shutdown()
            throw error
        }
        try await client.shutdown()
    }

    @Test("A configuration of the app's own decompresses bodies, because the client asks for compressed ones")
    func decompression() async throws {
        let server = try LoopbackServer.faulty()
        let client = AsyncHTTPAPIClient(configuration: HTTPClient.Configuration())
        let service = APIService(client: client, config: .forTests())
        let body = try await service.sendRequest(PoolTests.Request(baseURL: server.url(""), path: "/gzip"))
        #expect(String(decoding: body, as: UTF8.self) == "hello gzip")
    }

    @Test("The app's HTTPClient may use a proxy")
    func proxy() async throws {
        let proxy = try LoopbackServer { request, connection in
            request.method == "CONNECT"
                ? connection.send("HTTP/1.1 200 OK\r\n\r\n") : connection.answer(200)
        }
        var configuration = AsyncHTTPAPIClient.configuration()
        AsyncHTTPAPIClient.prepare(&configuration)
        configuration.proxy = .server(host: "127.0.0.1", port: Int(proxy.port))
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        let service = APIService(client: AsyncHTTPAPIClient(client: client), config: .forTests())
        let url = try #require(URL(string: "http://elsewhere.example"))
        let response = await service.response(to: EchoRequest(baseURL: url))
        try await client.shutdown()
        #expect(response.response?.statusCode == 200)
        #expect(
            proxy.requests.map { "\($0.method) \($0.target)" }
                == ["CONNECT elsewhere.example:80", "GET /echo"])
    }

    @Test("AsyncHTTPAPIClient drops a custom credential field on a redirect to another origin")
    func namedCredential() async throws {
        try await APIClientConformance.namedCredential.run(
            AsyncHTTPAPIClient(redirects: RedirectPolicy(credentialFields: ["X-Session"])))
    }

    struct EchoRequest: APIRequest {
        typealias Response = Data
        let baseURL: URL
        var path: String { "/echo" }
    }

    @Test("The service from the README's example gets a response")
    func example() async throws {
        let server = try LoopbackServer.faulty()
        // The README's service uses the shared settings.
        APIConfig.shared.update { $0.timeout = nil }
        let service = APIService(client: AsyncHTTPAPIClient())
        let answer = try await service.sendRequest(EchoRequest(baseURL: server.url("")))
        #expect(String(decoding: answer, as: UTF8.self).hasPrefix("GET /echo"))
    }

    @Test("A service may be released during a request, and its client shuts down after the last exchange")
    func dropped() async throws {
        let server = try LoopbackServer.faulty()
        for _ in 0..<20 {
            let response: APIResponse<Data> = await withCheckedContinuation { waiter in
                let service = APIService(client: AsyncHTTPAPIClient(), config: .forTests())
                service.sendRequest(EchoRequest(baseURL: server.url(""))) { waiter.resume(returning: $0) }
            }
            #expect(response.response?.statusCode == 200)
        }
    }

    @Test("No request fails when the server closes each connection unannounced after a response")
    func stale() async throws {
        let server = try LoopbackServer { _, connection in
            _ = connection.answer(200)
            return false
        }
        let service = APIService(client: AsyncHTTPAPIClient(), config: .forTests())
        for _ in 0..<300 {
            let response = await service.response(to: EchoRequest(baseURL: server.url("")))
            #expect(response.response?.statusCode == 200, "\(response.result)")
        }
    }

    @Test("A truncated compressed body is an error")
    func truncatedGzip() async throws {
        let server = try LoopbackServer.faulty()
        let service = APIService(client: AsyncHTTPAPIClient(), config: .forTests())
        let request = PoolTests.Request(baseURL: server.url(""), path: "/cut-gzip")
        guard case .connectionError = await service.response(to: request).result.error else {
            Issue.record("the body was accepted")
            return
        }
    }

    @Test("After a connection closes, neither a request with a body nor a POST is sent again")
    func whatIsTriedAgain() {
        let errors: [any Error] = [ChannelError.ioOnClosedChannel, HTTPClientError.remoteConnectionClosed]
        for error in errors {
            var request = HTTPClientRequest(url: "http://h/")
            request.method = .PUT
            #expect(AsyncHTTPAPIClient.isStale(error, request))
            request.body = .bytes(ByteBuffer(string: "body"))
            #expect(!AsyncHTTPAPIClient.isStale(error, request))
            (request.method, request.body) = (.POST, nil)
            #expect(!AsyncHTTPAPIClient.isStale(error, request))
        }
        #expect(!AsyncHTTPAPIClient.isStale(HTTPClientError.cancelled, HTTPClientRequest(url: "http://h/")))
        // This task is not cancelled, so the error comes from the connection.
        #expect(AsyncHTTPAPIClient.isNotBegun(HTTPClientError.cancelled))
        #expect(errors.allSatisfy { !AsyncHTTPAPIClient.isNotBegun($0) })
    }

    @Test(
        "While a handler runs, the client stops reading and the rest of the response waits at the server"
    )
    func backPressure() async throws {
        let allIsSent = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { _, connection in
            // This is more data than the buffers on both sides can hold.
            _ = connection.answer(200, [:], Data(count: 64 << 20))
            allIsSent.signal()
            return false
        }
        let client = AsyncHTTPAPIClient()
        let received = Recorded(0)
        let hasWaited = Recorded(false)
        let error: APITransportError? = await withCheckedContinuation { waiter in
            client.createStreamRequest(
                request: URLRequest(url: server.url("/")), upload: nil, progressHandler: nil
            ) { event in
                switch event {
                case .head: hasWaited.update { $0 = allIsSent.wait(timeout: .now() + 1) == .timedOut }
                case .piece(let piece): received.update { $0 += piece.count }
                case .end(let error): waiter.resume(returning: error)
                }
            }.resume()
        }
        #expect(hasWaited.value, "the server could send everything while the client was busy")
        #expect(error == nil && received.value == 64 << 20)
    }

    @Test("Each Swift block in AsyncHTTPAPIClient's README equals its source file's text")
    func readme() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 3)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }
}
