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
