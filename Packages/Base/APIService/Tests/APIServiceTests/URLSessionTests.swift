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

    @Test("A redirect keeps the request's Host field within the origin and drops it for another origin")
    func host() {
        var request = URLRequest(url: url("http://one.example/a"))
        request.setValue("virtual.example", forHTTPHeaderField: "Host")
        for (location, host) in [("/b", "virtual.example"), ("http://two.example/b", nil)] {
            let next = RedirectPolicy().next(after: request, status: 307, location: location)
            #expect(next?.url == URL(string: location, relativeTo: request.url)?.absoluteURL)
            #expect(next?.value(forHTTPHeaderField: "Host") == host)
        }
    }

    @Test(
        "A redirect keeps or changes the method (RFC 9110, 15.4), and drops what belongs to the first URL",
        arguments: [
            (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
            (301, "PUT", "PUT"), (302, "DELETE", "DELETE"), (303, "HEAD", "HEAD"), (307, "POST", "POST"),
            (308, "POST", "POST"), (300, "GET", nil), (304, "GET", nil), (309, "GET", nil),
        ] as [(Int, String, String?)])
    func method(status: Int, method: String, expected: String?) {
        let content = ["Content-Type", "Content-Length", "Content-Encoding"]
        let validators = [
            "If-None-Match", "If-Modified-Since", "If-Match", "If-Unmodified-Since", "If-Range", "Range",
        ]
        var request = URLRequest(url: url("http://h/a"))
        (request.httpMethod, request.httpBody) = (method, Data("1".utf8))
        for field in content + validators + ["X-A"] { request.setValue("1", forHTTPHeaderField: field) }
        let next = RedirectPolicy().next(after: request, status: status, location: "/b")
        #expect(next?.httpMethod == expected)
        guard let next else { return }
        let kept = (content + validators + ["X-A"]).filter { next.value(forHTTPHeaderField: $0) != nil }
        #expect(kept == (method == expected ? content : []) + ["X-A"])
        #expect((next.httpBody != nil) == (method == expected))
    }

    @Test(
        "A redirect never leads to a connection that is less protected",
        arguments: [("https", "http", false), ("https", "https", true), ("http", "https", true)])
    func downgrade(from: String, to: String, isFollowed: Bool) {
        let request = URLRequest(url: url("\(from)://h/a"))
        let next = RedirectPolicy().next(after: request, status: 302, location: "\(to)://h/b")
        #expect((next != nil) == isFollowed)
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

/// Linux reports every truncated body itself, so these tests simulate a session that does not.
#if os(Linux)
@Suite("A session's queue for libcurl", .waitLimit)
struct ReadingQueueTests {
    @Test("Foundation still has the private queue, without which pieces pile up in memory")
    func found() { #expect(URLSession(configuration: .ephemeral).readingQueue != nil) }
}
#endif

@Suite("A session that reports a truncated body as complete", .waitLimit)
struct TruncationTests {
    /// Returns how an exchange ends if the session reports `received` bytes and a normal end.
    private func end(
        received: Int, fields: [String: String], status: Int = 200, method: String = "GET"
    ) async throws -> APITransportError? {
        // The server never answers the exchange's own task.
        let server = try LoopbackServer { _, connection in
            connection.waitForClose()
            return false
        }
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = method
        let ends = Recorded<[APITransportError?]>([])
        let exchange = URLSessionExchange(
            request, upload: nil, client: URLSessionAPIClient(), progressHandler: nil
        ) { if case .end(let error) = $0 { ends.update { $0.append(error) } } }
        exchange.resume()
        let head = try #require(
            HTTPURLResponse(url: server.url("/"), statusCode: status, httpVersion: nil, headerFields: fields))
        exchange.head(head)
        for _ in 0..<received { exchange.piece(Data([0])) }
        exchange.finished(nil)
        exchange.cancel()
        return try #require(ends.value.first)
    }

    @Test(
        "A body that is shorter than its Content-Length, and a Content-Length that is no number, are errors",
        arguments: [
            ("4", .networkConnectionLost), ("4, 4", .networkConnectionLost),
            ("99999999999999999999", .networkConnectionLost), ("3, 4", .badServerResponse),
            ("3x", .badServerResponse), ("-3", .badServerResponse), ("", .badServerResponse),
        ] as [(String, URLError.Code)])
    func short(length: String, code: URLError.Code) async throws {
        guard case .broken(let error) = try await end(received: 3, fields: ["Content-Length": length]) else {
            Issue.record("The exchange ended without an error.")
            return
        }
        #expect((error as? URLError)?.code == code)
    }

    @Test(
        "A complete body, a body of unknown length and a missing body are not errors",
        arguments: [
            (4, ["Content-Length": "4"], 200, "GET"), (3, [:], 200, "GET"),
            (4, ["Content-Length": "4, 4"], 200, "GET"), (0, ["Content-Length": "4"], 204, "GET"),
            (3, ["Content-Length": "9", "Content-Encoding": "gzip"], 200, "GET"),
            (0, ["Content-Length": "4"], 200, "HEAD"), (0, ["Content-Length": "4"], 304, "GET"),
        ])
    func whole(received: Int, fields: [String: String], status: Int, method: String) async throws {
        let error = try await end(received: received, fields: fields, status: status, method: method)
        #expect(error == nil)
    }
}

@Suite("The declared length of a body")
struct DeclaredLengthTests {
    @Test(
        "A length is expected of a body that is not longer, and has no coding",
        arguments: [(4, nil, 4), (5, nil, nil), (4, "identity", 4), (4, "gzip", nil)]
            as [(Int, String?, Int64?)])
    func expected(count: Int, coding: String?, length: Int64?) throws {
        var fields = ["Content-Length": "4"]
        fields["Content-Encoding"] = coding
        let head = try #require(
            HTTPURLResponse(url: url("http://h/"), statusCode: 200, httpVersion: nil, headerFields: fields))
        #expect(head.expectedLength(beyond: count) == length)
    }
}

@Suite("The events of a session's exchange", .waitLimit)
struct ExchangeEventTests {
    @Test("An exchange reports no empty piece, no total that is unknown, and nothing after its end")
    func events() throws {
        // The server never answers the exchange's own task.
        let server = try LoopbackServer { _, connection in
            connection.waitForClose()
            return false
        }
        let (events, progress) = (Recorded<[String]>([]), Recorded<[APIProgress]>([]))
        let exchange = URLSessionExchange(
            URLRequest(url: server.url("/")), upload: nil, client: URLSessionAPIClient(),
            progressHandler: { step in progress.update { $0.append(step) } }
        ) { event in
            events.update {
                switch event {
                case .head: $0.append("head")
                case .piece(let piece): $0.append("piece of \(piece.count)")
                case .end: $0.append("end")
                }
            }
        }
        let head = try #require(
            HTTPURLResponse(url: server.url("/"), statusCode: 200, httpVersion: nil, headerFields: [:]))
        func report() {
            exchange.sent(1, of: 1)
            exchange.sent(1, of: 0)
            exchange.sent(1, of: -1)
            exchange.head(head)
            exchange.piece(Data())
            exchange.piece(Data([1]))
        }
        exchange.resume()
        report()
        exchange.cancel()
        report()
        exchange.finished(nil)
        #expect(events.value == ["head", "piece of 1", "end"])
        #expect(progress.value.map(\.total) == [1, nil, nil])
    }
}

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
