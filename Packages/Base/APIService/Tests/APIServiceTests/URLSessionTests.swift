import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIService
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("URLSessionAPIClient", .serialized, .waitLimit)
struct URLSessionTests {
    @Test(
        "URLSessionAPIClient passes the client conformance checks", arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(URLSessionAPIClient())
    }

    @Test("URLSessionAPIClient drops a custom credential field on a redirect to another origin")
    func namedCredential() async throws {
        let client = URLSessionAPIClient(redirects: RedirectPolicy(credentialFields: ["X-Session"]))
        try await APIClientConformance.namedCredential.run(client)
    }

    @Test("A client with its own configuration sends that configuration's cookies and header fields")
    func configuration() async throws {
        let server = try LoopbackServer { request, connection in
            connection.answer(200, ["Set-Cookie": "a=1"], Data((request.fields["cookie"] ?? "none").utf8))
        }
        for keepsCookies in [true, false] {
            let configuration = keepsCookies ? .ephemeral : URLSessionAPIClient.configuration()
            configuration.httpAdditionalHeaders = ["X-App": "demo"]
            let service = APIService(
                client: URLSessionAPIClient(configuration: configuration), config: testSettings())
            let request = TestRequest(Text.self) { $0.baseURL = server.url("") }
            #expect(try await service.sendRequest(request) == Text("none"))
            #expect(try await service.sendRequest(request) == Text(keepsCookies ? "a=1" : "none"))
        }
        #expect(server.requests.map { $0.fields["x-app"] } == Array(repeating: "demo", count: 4))
    }

    /// One of these settings is enough on Linux.
    @Test("The default configuration has every setting that keeps cookies and responses out of a session")
    func defaultConfiguration() {
        let configuration = URLSessionAPIClient.configuration()
        #expect(configuration.urlCache == nil && configuration.httpCookieStorage == nil)
        #expect(configuration.requestCachePolicy == .reloadIgnoringLocalCacheData)
        #expect(configuration.httpCookieAcceptPolicy == .never && !configuration.httpShouldSetCookies)
    }

    @Test(
        "An error of the session says whether a server was found, the request was sent, and a certificate is trusted",
        arguments: [
            (.cancelled, "cancelled"), (.notConnectedToInternet, "unreachable"),
            (.cannotFindHost, "unreachable"), (.cannotConnectToHost, "unreachable"),
            (.dnsLookupFailed, "unreachable"), (.fileDoesNotExist, "local"), (.badURL, "local"),
            (.timedOut, "broken"), (.networkConnectionLost, "broken"), (.unsupportedURL, "broken"),
            (.unknown, "broken"), (.serverCertificateUntrusted, "h.example is not trusted"),
            (.serverCertificateHasBadDate, "h.example is not trusted"),
            (.serverCertificateHasUnknownRoot, "h.example is not trusted"),
            (.serverCertificateNotYetValid, "h.example is not trusted"),
        ] as [(URLError.Code, String)])
    func kind(code: URLError.Code, kind: String) {
        let failing = [NSURLErrorFailingURLErrorKey: url("https://h.example/a")]
        #expect(self.kind(URLError(code, userInfo: failing)) == kind)
    }

    @Test(
        "An error that is not the session's is a broken connection; on Linux, a certificate's has only a text"
    )
    func otherKinds() {
        #expect(kind(Failure("x")) == "broken")
        #if os(Linux)
        let text = [NSLocalizedDescriptionKey: "SSL certificate problem"]
        #expect(kind(URLError(.unknown, userInfo: text)) == " is not trusted")
        #endif
    }

    private func kind(_ error: any Error) -> String {
        switch URLSessionDelegateHub.transportError(error) {
        case .unreachable: "unreachable"
        case .broken(let error as APIUntrustedServer): "\(error.host) is not trusted"
        case .broken: "broken"
        case .local: "local"
        case .cancelled: "cancelled"
        }
    }

    @Test("A client that is released during an exchange completes the exchange, including a redirect")
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

#if os(Linux)
@Suite("A session's queue for libcurl", .waitLimit)
struct ReadingQueueTests {
    @Test("Foundation still has the private queue, without which pieces pile up in memory")
    func found() { #expect(URLSession(configuration: .ephemeral).readingQueue != nil) }
}
#endif

@Suite("LoopbackServer", .waitLimit)
struct LoopbackServerTests {
    @Test("Stopping the server wakes the thread that accepts connections, and frees the port")
    func stop() async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200) }
        let client = URLSessionAPIClient()
        let request = URLRequest(url: server.url("/"))
        func answer() async -> APIDataResponse {
            await completion { done in
                client.createDataRequest(request: request, progressHandler: nil, completionHandler: done)
                    .resume()
            }
        }
        #expect(await answer().response?.statusCode == 200)
        server.stop()
        let result = await answer().result
        guard case .failure(.unreachable) = result else {
            Issue.record("The port still accepts connections: \(result)")
            return
        }
    }
}

@Suite(
    "StubAPIClient and ReplayAPIClient", .serialized,
    .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"), .waitLimit)
struct TestClientTests {
    @Test(
        "A recording ReplayAPIClient passes the client conformance checks",
        arguments: APIClientConformance.checks)
    func recorder(check: APIClientConformance.Check) async throws {
        try await check.run(ReplayAPIClient(recording: URLSessionAPIClient()))
    }

    @Test("StubAPIClient passes the client conformance checks", arguments: APIClientConformance.checks)
    func stub(check: APIClientConformance.Check) async throws {
        let client = URLSessionAPIClient()
        try await check.run(StubAPIClient { await Self.forward($0, to: client) })
    }

    /// Sends a request with `client`, and converts the response for `StubAPIClient`.
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
            // The unstructured task ignores cancellation, so that a cancelled stub still waits for the
            // exchange to end.
            await Task { for await _ in ends {} }.value
        } onCancel: {
            task.cancel()
        }
        return answer.value
    }
}
