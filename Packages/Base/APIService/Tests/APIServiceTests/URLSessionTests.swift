import APIService
import APIServiceTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSession", .serialized)
struct URLSessionTests {
    @Test("conforms to the contract of a client", arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(URLSessionAPIClient())
    }

    @Test("a session's token in a field of its own is a credential when the client is told so")
    func namedCredential() async throws {
        let client = URLSessionAPIClient(redirects: RedirectPolicy(credentialFields: ["X-Session"]))
        try await APIClientConformance.namedCredential.run(client)
    }

    @Test("a Host that the request names goes along within its origin, and to no other")
    func host() {
        var request = URLRequest(url: url("http://one.example/a"))
        request.setValue("virtual.example", forHTTPHeaderField: "Host")
        for (location, host) in [("/b", "virtual.example"), ("http://two.example/b", nil)] {
            let next = RedirectPolicy().next(after: request, status: 307, location: location)
            #expect(next?.url == URL(string: location, relativeTo: request.url)?.absoluteURL)
            #expect(next?.value(forHTTPHeaderField: "Host") == host)
        }
    }

    @Test("a client that nobody keeps goes on with what it sends, to where that is redirected too")
    func lives() async throws {
        let dropped = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request, connection in
            guard request.path == "/first" else { return connection.answer(200, [:], Data("second".utf8)) }
            dropped.wait()
            return connection.answer(302, ["Location": "/second"])
        }
        let response: APIDataResponse = await completion { done in
            let request = URLRequest(url: server.url("/first"))
            URLSessionAPIClient().createDataRequest(
                request: request, progressHandler: nil, completionHandler: done
            ).resume()
            dropped.signal()
        }
        #expect(try response.result.get() == Data("second".utf8))
    }
}

@Suite("The clients for tests", .serialized)
struct TestClientTests {
    @Test("the recording client conforms to the contract of a client", arguments: APIClientConformance.checks)
    func recorder(check: APIClientConformance.Check) async throws {
        try await check.run(ReplayAPIClient(recording: URLSessionAPIClient()))
    }

    @Test("the stub conforms to the contract of a client", arguments: APIClientConformance.checks)
    func stub(check: APIClientConformance.Check) async throws {
        let client = URLSessionAPIClient()
        try await check.run(StubAPIClient { await Self.forward($0, to: client) })
    }

    /// What a server answers, as a stub answers it.
    private static func forward(_ request: URLRequest, to client: URLSessionAPIClient) async
        -> StubAPIClient.Answer
    {
        let answer = Recorded(StubAPIClient.Answer(statusCode: 0))
        let (ends, end) = AsyncStream<Void>.makeStream()
        let task = client.createStreamRequest(request: request, upload: nil, progressHandler: nil) { event in
            switch event {
            case .head(let head):
                answer.update { answer in
                    answer.statusCode = head.statusCode
                    for (name, value) in head.allHeaderFields {
                        if let name = name as? String, let value = value as? String {
                            answer.headers[name] = value
                        }
                    }
                }
            case .piece(let piece): answer.update { $0.pieces.append(piece) }
            case .end(let error):
                answer.update { $0.error = error }
                end.finish()
            }
        }
        await withTaskCancellationHandler {
            task.resume()
            // In a task of its own, so that a cancelled stub still waits for the end.
            await Task { for await _ in ends {} }.value
        } onCancel: {
            task.cancel()
        }
        return answer.value
    }
}
