import APIEvents
import APIService
import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

@testable import AsyncHTTPAPIClient

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Connection pools", .serialized, .timeLimit(.minutes(10)), .waitLimit)
struct PoolTests {
    struct Request: APIRequest {
        typealias Response = Data
        let baseURL: URL
        var path = "/"
        var method = APIRequestMethod.get
        var sent: String?

        func intercept(urlRequest: URLRequest) -> URLRequest {
            var urlRequest = urlRequest
            urlRequest.httpBody = sent.map { Data($0.utf8) }
            return urlRequest
        }
    }

    private func service(_ client: any APIClient, attempts: Int = 1) -> APIService {
        var settings = APISettings()
        settings.retry = APIRetryPolicy(maximumAttempts: attempts, baseDelay: .milliseconds(1))
        return APIService(client: client, config: APIConfig(settings))
    }

    @Test("A request may wait for a busy connection longer than the connect timeout")
    func queue() async throws {
        // The first response is sent when another request has waited for the duration of the connect timeout.
        let waited = DispatchSemaphore(value: 0)
        let isFirst = Recorded(true)
        let server = try LoopbackServer { _, connection in
            let blocks = isFirst.update { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if blocks { waited.wait() }
            return connection.answer(200)
        }
        let client = AsyncHTTPAPIClient(
            configuration: AsyncHTTPAPIClient.configuration(1, .milliseconds(100)),
            onPoolTimeout: { waited.signal() })
        let service = service(client)
        let statuses = await withTaskGroup { group in
            for _ in 0..<3 {
                group.addTask {
                    await service.response(to: Request(baseURL: server.url(""))).response?.statusCode
                }
            }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(statuses == [200, 200, 200])
        #expect(server.requests.count == 3)
    }

    @Test(
        "While eight event streams are open, other requests to their host are sent",
        arguments: Transport.allCases)
    func streams(transport: Transport) async throws {
        let server = try LoopbackServer { request, connection in
            guard request.path == "/events" else { return connection.answer(200) }
            connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: \(request.target)\n\n")
            connection.waitForClose()
            return false
        }
        let service = service(transport.client())
        await withThrowingTaskGroup { group in
            let opened = AsyncStream<Void>.makeStream()
            for _ in 0..<8 {
                group.addTask {
                    let request = Request(baseURL: server.url(""), path: "/events")
                    for try await _ in service.events(of: request) { opened.continuation.yield() }
                }
            }
            for await _ in opened.stream.prefix(8) {}
            let response = await service.response(to: Request(baseURL: server.url("")))
            #expect(response.response?.statusCode == 200)
            group.cancelAll()
        }
    }

    @Test(
        "If every connection closes early, GET and DELETE use up the policy's attempts, but a POST is sent only once",
        arguments: Transport.allCases,
        [
            ("GET", nil, 3, 3), ("GET", nil, 4, 4), ("DELETE", nil, 3, 3), ("POST", nil, 3, 1),
            ("PUT", "body", 1, 1),
        ] as [(String, String?, Int, Int)])
    func attempts(
        transport: Transport, request: (method: String, body: String?, attempts: Int, requests: Int)
    ) async throws {
        let server = try LoopbackServer { _, _ in false }
        let response = await service(transport.client(), attempts: request.attempts).response(
            to: Request(
                baseURL: server.url(""), method: APIRequestMethod(rawValue: request.method),
                sent: request.body))
        guard case .connectionError = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(server.requests.count == request.requests)
        #expect(response.explanation.attempts == request.requests)
    }

    @Test(
        "Without a policy, a request is sent again at most twice if its connection was closed",
        arguments: [1, 2])
    func closed(attempts: Int) async throws {
        let server = try LoopbackServer { _, _ in false }
        let response = await service(AsyncHTTPAPIClient(), attempts: attempts).response(
            to: Request(baseURL: server.url("")))
        guard case .connectionError(let error as APIClosedConnection, _) = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(!error.isUnprocessed)
        #expect(server.requests.count == 3)
    }
}
