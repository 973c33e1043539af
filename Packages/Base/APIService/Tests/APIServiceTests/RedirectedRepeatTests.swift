import APIEvents
import APIService
import APIServiceTesting
import APITransfers
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// RFC 9110, 9.2.2: a request whose method is not idempotent is not repeated once the server may have processed it.
@Suite("A request that was redirected is repeated from where it was refused", .waitLimit)
struct RedirectedRepeatTests {
    private let token = Recorded("old")
    private let failures = Recorded<[StubAPIClient.Answer]>([])

    /// A client whose server redirects `/thing` and answers `/page` to the token "new".
    private func client(
        obeys: Bool = true, _ status: Int = 303, to page: String = "/page"
    ) -> FollowingClient {
        let (failures, seen) = (failures, Recorded(0))
        return FollowingClient(obeys: obeys) { request in
            if request.url?.path == "/thing", page != "/thing" || seen.next() == 1 {
                return .redirect(status, to: page)
            }
            if let failure = failures.update({ $0.isEmpty ? nil : $0.removeFirst() }) { return failure }
            guard request.value(forHTTPHeaderField: "Authorization") == "new" else {
                return .text("refused", statusCode: 401)
            }
            let isStream = request.value(forHTTPHeaderField: "Accept") == "text/event-stream"
            return isStream ? .events("data: page\n\n") : .text("page")
        }
    }

    private func service(
        _ client: FollowingClient, isSigned: Bool, _ change: (inout APISettings) -> Void = { _ in }
    ) -> APIService {
        let token = token
        return APIService(
            client: client,
            config: testSettings {
                $0.timeout = nil
                $0.accessories = [APITokenAccessory(user: { "ann" }, scheme: "", token: { token.value })]
                if isSigned { $0.accessories.append(APISigningAccessory { $0 }) }
                $0.tokenRefresh = APITokenRefresh { _ in
                    "new"
                } store: { new, _ in
                    token.update { $0 = new }
                }
                change(&$0)
            })
    }

    @Test(
        "An unsafe request is not sent again if the page that it redirects to rejects the token: the page is",
        arguments: [true, false],
        [("/page", .post), ("/thing", .post), ("/page", .delete)] as [(String, APIRequestMethod)])
    func refused(isSigned: Bool, unsafe: (page: String, method: APIRequestMethod)) async throws {
        let client = client(to: unsafe.page)
        let request = TestRequest(Text.self) { $0.method = unsafe.method }
        let response = await service(client, isSigned: isSigned).response(to: request)
        #expect(response.result.value == Text("page"))
        #expect(response.explanation.attempts == 2)
        #expect(
            client.sent == ["\(unsafe.method.rawValue) /thing", "GET \(unsafe.page)", "GET \(unsafe.page)"])
    }

    @Test("A POST that is itself rejected is sent again, and its response names the accepted request")
    func notRedirected() async throws {
        let client = FollowingClient { request in
            request.value(forHTTPHeaderField: "Authorization") == "new"
                ? .text("page") : .text("refused", statusCode: 401)
        }
        let request = TestRequest(Text.self) { $0.method = .post }
        let response = await service(client, isSigned: false).response(to: request)
        #expect(response.result.value == Text("page"))
        #expect(client.sent == ["POST /thing", "POST /thing"])
        #expect(response.request?.value(forHTTPHeaderField: "Authorization") == "new")
    }

    @Test("Nor is the POST of a stream", arguments: [true, false])
    func stream(isSigned: Bool) async throws {
        let client = client()
        let service = service(client, isSigned: isSigned)
        var events: [String] = []
        for try await event in service.events(of: TestRequest(Text.self) { $0.method = .post }) {
            events.append(event.data)
        }
        #expect(events == ["page"])
        #expect(client.sent == ["POST /thing", "GET /page", "GET /page"])
    }

    @Test("If a client follows redirects by rules of its own, the rejection of the page is delivered")
    func foreign() async throws {
        let client = client(obeys: false)
        let service = service(client, isSigned: false)
        let response = await service.response(to: TestRequest(Text.self) { $0.method = .post })
        #expect(response.response?.statusCode == 401)
        #expect(client.sent == ["POST /thing", "GET /page"])
        // A GET may be repeated.
        #expect(try await service.sendRequest(TestRequest(Text.self)) == Text("page"))
    }

    @Test(
        "A closed connection and a retry repeat the page, not the POST",
        arguments: [
            .failure(.broken(APIClosedConnection(isUnprocessed: true, underlying: Failure("closed")))),
            .failure(.broken(APIClosedConnection(isUnprocessed: false, underlying: Failure("closed")))),
            .text("busy", statusCode: 503),
        ] as [StubAPIClient.Answer])
    func closed(failure: StubAPIClient.Answer) async throws {
        token.update { $0 = "new" }
        failures.update { $0 = [failure] }
        let client = client()
        let service = service(client, isSigned: true) {
            $0.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        }
        let result = await service.response(to: TestRequest(Text.self) { $0.method = .post }).result
        #expect(result.value == Text("page"))
        #expect(client.sent == ["POST /thing", "GET /page", "GET /page"])
    }

    @Test(
        "Even if the policy repeats POST, a POST that was processed is not sent again: the page is, in its origin",
        arguments: [true, false],
        [.text("busy", statusCode: 503), .failure(.broken(Failure("reset")))] as [StubAPIClient.Answer])
    func repeating(hasAccessory: Bool, failure: StubAPIClient.Answer) async {
        let failures = Recorded([failure])
        let client = FollowingClient { request in
            if request.httpMethod == "POST" { return .redirect(303, to: "/page") }
            return failures.update { $0.isEmpty ? .text("page") : $0.removeFirst() }
        }
        let service = APIService(
            client: client,
            config: testSettings {
                if hasAccessory { $0.accessories = [APIHeaderAccessory(["X-App": "a"], credentials: [])] }
            })
        let response = await service.response(to: repeated)
        #expect(response.result.value == Text("page") && response.explanation.attempts == 2)
        #expect(client.sent == ["POST /thing", "GET /page", "GET /page"])
    }

    /// A POST that may be sent twice.
    private var repeated: TestRequest<Text> {
        TestRequest(Text.self) {
            $0.method = .post
            $0.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero, repeatsNonIdempotent: true)
        }
    }

    @Test(
        "A POST is not sent again after a redirect to another origin has changed it, or its client has disobeyed",
        arguments: [.text("busy", statusCode: 503), .failure(.broken(Failure("reset")))]
            as [StubAPIClient.Answer])
    func processed(failure: StubAPIClient.Answer) async {
        for (status, obeys) in [(302, true), (303, true), (307, true), (303, false)] {
            let page = obeys ? "http://other.example/page" : "/page"
            let client = FollowingClient(obeys: obeys) { request in
                request.url?.path() == "/thing" ? .redirect(status, to: page) : failure
            }
            let result = await APIService(client: client, config: testSettings()).response(to: repeated)
            #expect(result.result.error != nil)
            let method = status == 307 ? "POST" : "GET"
            let once = ["POST /thing", "\(method) /page"]
            // A 307 shows that the server has not processed the POST. A client that disobeys does not say what it followed
            // before a failure.
            let isTwice = status == 307 || !obeys && result.response == nil
            #expect(client.sent == (isTwice ? once + once : once), "\(status) \(obeys)")
        }
    }

    @Test(
        "A client that normalises a URL has not followed a redirect (RFC 9110, 4.2.3)",
        arguments: [true, false])
    func normalising(isRedirected: Bool) async throws {
        let client = FollowingClient(normalises: true) { request in
            if isRedirected, request.url?.path() == "/thing" { return .redirect(307, to: "/page") }
            return request.value(forHTTPHeaderField: "Authorization") == "new"
                ? .text("page") : .text("refused", statusCode: 401)
        }
        let request = TestRequest(Text.self) {
            ($0.baseURL, $0.method) = (url("HTTP://Test.Example:80"), .post)
        }
        #expect(try await service(client, isSigned: false).sendRequest(request) == Text("page"))
        let page = isRedirected ? "POST /page" : "POST /thing"
        #expect(client.sent == (isRedirected ? ["POST /thing"] : []) + [page, page])
    }

    @Test("A stream whose connection closes after the redirect of a POST repeats the page")
    func closedStream() async throws {
        token.update { $0 = "new" }
        failures.update {
            $0 = [.failure(.broken(APIClosedConnection(isUnprocessed: false, underlying: Failure("closed"))))]
        }
        let client = client()
        let service = service(client, isSigned: true)
        var events: [String] = []
        for try await event in service.events(of: TestRequest(Text.self) { $0.method = .post }) {
            events.append(event.data)
        }
        #expect(events == ["page"])
        #expect(client.sent == ["POST /thing", "GET /page", "GET /page"])
    }

    @Test("A GET is repeated from its first URL, which may redirect elsewhere next time (RFC 9110, 15.4.8)")
    func safe() async throws {
        token.update { $0 = "new" }
        failures.update { $0 = [.text("busy", statusCode: 503)] }
        let client = client(307)
        let service = service(client, isSigned: true) {
            $0.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        }
        #expect(try await service.sendRequest(TestRequest(Text.self)) == Text("page"))
        #expect(client.sent == ["GET /thing", "GET /page", "GET /thing", "GET /page"])
    }

    @Test(
        "The body of an upload follows a redirect only if the method does (RFC 9110, 15.4)",
        arguments: [301, 302, 303, 307, 308], [true, false])
    func upload(status: Int, isForm: Bool) async throws {
        token.update { $0 = "new" }
        let client = client(status)
        let request = TestRequest(Text.self) {
            $0.method = .post
            $0.taskType =
                isForm
                ? .multipart(APIMultipartForm([.init(name: "a", content: .data(Data("body".utf8)))]))
                : .upload(.data(Data("body".utf8)))
        }
        #expect(try await service(client, isSigned: true).sendRequest(request) == Text("page"))
        let last = try #require(client.stub.requests.last)
        #expect((last.httpBody != nil) == (status >= 307))
        #expect(last.httpMethod == (status >= 307 ? "POST" : "GET"))
        #expect((last.value(forHTTPHeaderField: "Content-Type") != nil) == (isForm && status >= 307))
    }

    @Test("A download remains a download after a redirect that changes the method")
    func download() async throws {
        token.update { $0 = "new" }
        let folder = try TemporaryFolder()
        let request = TestRequest(APIDownloadedFile.self) {
            ($0.method, $0.taskType) = (.post, .download(APIDownload(to: folder.file("file"))))
        }
        let file = try await service(client(), isSigned: true).sendRequest(request)
        #expect(try String(contentsOf: file.url, encoding: .utf8) == "page")
    }

    @Test("The attempts after a token refresh count toward the maximum")
    func attempts() async throws {
        let answers = Recorded([503, 401, 503, 200])
        let client = FollowingClient { _ in
            .text("", statusCode: answers.update { $0.removeFirst() })
        }
        let service = service(client, isSigned: false) {
            $0.retry = APIRetryPolicy(maximumAttempts: 2, baseDelay: .zero)
        }
        #expect(await service.response(to: TestRequest(Text.self)).response?.statusCode == 503)
        #expect(client.sent.count == 3)
    }

    @Test("If the body of an upload cannot be sent again with a new token, the rejection is delivered")
    func usedUp() async throws {
        let letters = AsyncStream<Data> { continuation in
            continuation.yield(Data("a".utf8))
            continuation.finish()
        }
        let client = FollowingClient { _ in .text("refused", statusCode: 401) }
        let request = TestRequest(Text.self) {
            ($0.method, $0.taskType) = (.put, .upload(.stream { letters }))
        }
        let response = await service(client, isSigned: false).response(to: request)
        #expect(response.response?.statusCode == 401)
    }

    @Test("The rules of a request do not apply to the requests that its upload sends")
    func inherited() async throws {
        let inner = FollowingClient { request in
            guard request.url?.host() == "other.example" else {
                return .redirect(307, to: "http://other.example/page")
            }
            return .text(request.value(forHTTPHeaderField: "X-Tenant") ?? "none")
        }
        let innerService = APIService(client: inner, config: testSettings())
        let tenant = Recorded<Text?>(nil)
        let outer = FollowingClient { _ in .text("done") }
        let service = APIService(
            client: outer,
            config: testSettings {
                $0.accessories = [
                    APISigningAccessory { request in
                        var request = request
                        request.setValue("secret", forHTTPHeaderField: "X-Tenant")
                        return request
                    }
                ]
            })
        let request = TestRequest(Text.self) {
            $0.method = .post
            $0.taskType = .upload(
                .stream {
                    AsyncStream<Data> { continuation in
                        Task {
                            let request = TestRequest(Text.self) { $0.headers = ["X-Tenant": "7"] }
                            let result = await innerService.response(to: request).result
                            tenant.update { $0 = result.value }
                            continuation.yield(Data("a".utf8))
                            continuation.finish()
                        }
                    }
                })
        }
        #expect(try await service.sendRequest(request) == Text("done"))
        #expect(tenant.value == Text("7"))
    }
}
