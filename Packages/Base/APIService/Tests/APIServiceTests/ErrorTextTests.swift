import APIService
import APIServiceTesting
import APITransfers
import APITransport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The texts of errors")
struct ErrorTextTests {
    private func error(
        _ client: any APIClient, _ server: String, change: (inout TestRequest<Text>) -> Void = { _ in }
    ) async throws -> APIError {
        let service = APIService(client: client, config: testSettings { $0.timeout = nil })
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
