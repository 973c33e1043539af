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

@Suite("The texts of errors", .waitLimit)
struct ErrorTextTests {
    private func error(
        _ client: any APIClient, _ server: String, change: (inout TestRequest<Text>) -> Void = { _ in }
    ) async throws -> APIError {
        let service = APIService(
            client: client,
            config: testSettings { ($0.timeout, $0.responseLimit) = (nil, 20) })
        let request = TestRequest(Text.self) {
            $0.baseURL = url(server)
            $0.parameters = ["token": "secret"]
            change(&$0)
        }
        return try #require(await service.response(to: request).result.error)
    }

    @Test("The text of an unreachable server names its URL, without secrets, and the cause")
    func unreachable() async throws {
        let server = try LoopbackServer { _, _ in false }
        let port = server.port
        server.stop()
        let text = try await error(URLSessionAPIClient(), "http://ann:secret@127.0.0.1:\(port)").description
        #expect(text.hasPrefix("http://127.0.0.1:\(port)/thing is unreachable: "))
        #expect(text.contains("connect") && !text.contains("secret"))
        let stub = StubAPIClient { _ in .failure(.unreachable(Failure("no such host"))) }
        #expect(
            try await error(stub, "http://h").description == "http://h/thing is unreachable: no such host")
        #expect(APIError.networkError.description == "the server is unreachable")
    }

    @Test("The text of a broken connection and of a status name the URL without secrets")
    func others() async throws {
        let server = try LoopbackServer { request, connection in
            request.path == "/drop/thing" ? false : connection.answer(503)
        }
        let broken = try await error(URLSessionAPIClient(), "\(server.url("/drop"))") { $0.method = .post }
        #expect(!broken.description.contains("secret"), "\(broken)")
        #expect(!"\(broken)".contains("secret") && !broken.localizedDescription.contains("secret"))
        let status = try await error(URLSessionAPIClient(), "\(server.url("/a"))")
        #expect(status.description == "\(server.url("/a/thing")) answered 503")
        let failing = URLError(
            .networkConnectionLost, userInfo: [NSURLErrorFailingURLErrorKey: url("http://h/a?secret")])
        let text = APIError.connectionError(failing).description
        #expect(text.contains("http://h/a") && !text.contains("secret"))
    }

    @Test(
        "The text of a broken connection, a time-out, and an unusable response names the URL without secrets")
    func named() async throws {
        let hanging = StubAPIClient { _ in
            await untilCancelled()
            return .text("")
        }
        let server = "http://ann:secret@h"
        #expect(
            try await error(hanging, server) { $0.timeout = .nanoseconds(1) }.description
                == "the request to http://h/thing exceeded its time limit")
        let late = try await error(StubAPIClient { _ in .text("") }, server) {
            ($0.timeout, $0.onResponse) = (.milliseconds(1), { _, _ in })
        }
        #expect(late.description == "the request to http://h/thing exceeded its time limit")
        for (answer, text) in [
            (.failure(.broken(Failure("cut"))), "the connection to http://h/thing failed: cut"),
            (.text("unparsable"), "the response of http://h/thing could not be parsed: unparsable"),
            (.text("longer than the limit"), "the response of http://h/thing is larger than 20 bytes"),
        ] as [(StubAPIClient.Answer, String)] {
            let error = try await error(StubAPIClient { _ in answer }, server)
            #expect(error.description == text && error.localizedDescription == text)
        }
        #expect(APIError.timedOut.description == "the request to the server exceeded its time limit")
    }

    @Test(
        "An error that names no server says what is wrong",
        arguments: [
            (.requestError(.invalidURL("http://")), "invalid URL: http://"),
            (.requestError(.invalidMethod("GE T")), "invalid method: GE T"),
            (
                .requestError(.invalidParameters("x is not a finite number")),
                "a parameter cannot be encoded: x is not a finite number"
            ),
            (.requestError(.noServer), "the request declares no server, and the service's baseURL is nil"),
            (.requestError(.invalidHeader("A: b")), "a header field is not valid: A: b"),
            (.requestError(.failed(Failure("no body"))), "the request could not be built: no body"),
            (.requestError(.unsupported("no streams")), "no streams"),
            (.localError(Failure("no file")), "a file could not be read or written: no file"),
            (.refreshFailed(Failure("no token")), "the token refresh failed: no token"),
            (.cacheError(.missing), "nothing is cached"),
            (.cacheError(.expired), "the cached response has expired"),
            (.cacheError(.unusable("no cache")), "the cache has no usable response: no cache"),
            (.cancelled, "the request was cancelled"),
            (.vetoed(APIVeto("too late")), "the request was refused: too late"),
        ] as [(APIError, String)])
    func withoutServer(error: APIError, text: String) {
        #expect(error.description == text && error.localizedDescription == text)
    }

    @Test("The text of a transport's error says which kind of failure it is")
    func transport() {
        let errors: [APITransportError] = [
            .unreachable(Failure("x")), .broken(Failure("x")), .local(Failure("x")), .cancelled,
        ]
        #expect(errors.map(\.description) == ["unreachable: x", "broken: x", "local: x", "cancelled"])
    }

    @Test("The text of an event stream's error names the URL without secrets")
    func events() async throws {
        for (answer, text) in [
            (.text("", statusCode: 503), "http://h/thing answered 503"),
            (
                .text("a", headers: ["Content-Type": "text/plain"]),
                "http://h/thing answered with the content type \"text/plain\""
            ),
            (.failure(.broken(Failure("cut"))), "the connection to http://h/thing failed: cut"),
        ] as [(StubAPIClient.Answer, String)] {
            let service = APIService(client: StubAPIClient { _ in answer }, config: testSettings())
            let request = TestRequest(Text.self) {
                ($0.baseURL, $0.parameters) = (url("http://ann:secret@h"), ["token": "secret"])
            }
            let error = await #expect(throws: APIError.self) {
                for try await _ in service.events(of: request) {}
            }
            #expect(error?.description == text)
        }
    }

    @Test(
        "A form with a boundary that a server could misread is not sent",
        arguments: ["", " ", "a b", "a;b", "a\r\nX: y", "a\"", "ä", String(repeating: "a", count: 71)])
    func boundary(boundary: String) async throws {
        let client = StubAPIClient { _ in .text("") }
        let form = APIMultipartForm([.init(name: "a", content: .data(Data()))], boundary: boundary)
        let error = try await error(client, "http://h") {
            ($0.method, $0.taskType) = (.post, .multipart(form))
        }
        guard case .requestError(.invalidHeader(let text)) = error else { throw error }
        #expect(text.contains(boundary.debugDescription) && client.requests.isEmpty)
    }
}
