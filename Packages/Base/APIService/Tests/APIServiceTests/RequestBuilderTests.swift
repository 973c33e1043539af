import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIService
@testable import APITransfers

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Building a URLRequest")
struct RequestBuilderTests {
    @Test(
        "The base URL and the path are joined with one slash, and the path is percent-encoded",
        arguments: [
            ("http://h", "/a", "http://h/a"), ("http://h/", "/a", "http://h/a"),
            ("http://h/v1", "a", "http://h/v1/a"),
            ("http://h/v1/", "/a/b/", "http://h/v1/a/b/"), ("http://h/v1", "", "http://h/v1"),
            ("http://h", "/a b?c#d", "http://h/a%20b%3Fc%23d"), ("http://h", "/50%", "http://h/50%25"),
            ("http://h/v%2F1", "/汉", "http://h/v%2F1/%E6%B1%89"), ("http://h?k=1", "/a", "http://h/a?k=1"),
        ])
    func join(base: String, path: String, expected: String) throws {
        #expect(try RequestBuilder<TestRequest<Text>>.url(url(base), path: path).absoluteString == expected)
    }

    @Test("A base URL without a scheme or a host is an error", arguments: ["/only/path", "mailto:x@y"])
    func badBase(base: String) {
        #expect(throws: APIRequestError.self) {
            try RequestBuilder<TestRequest<Text>>.url(url(base), path: "/a")
        }
    }

    @Test("A request without a server goes to the service's server, and fails while the service has none")
    func serviceServer() async throws {
        struct Request: APIRequest {
            typealias Response = Data
            let path = "/a"
        }
        let client = StubAPIClient { _ in .text("") }
        let service = APIService(client: client, config: .forTests())
        let failure = await service.response(to: Request()).result.error
        guard case .requestError(.noServer) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        for server in ["http://h/v1", "http://other"] {
            service.config.update { $0.baseURL = url(server) }
            _ = try await service.sendRequest(Request())
        }
        #expect(client.requests.map(\.url?.absoluteString) == ["http://h/v1/a", "http://other/a"])
    }

    private func build(
        _ request: TestRequest<Text>, plugins: [any APIPlugin] = [],
        encoding: (any APIParameterEncoding)? = nil
    ) throws(APIError) -> (URLRequest, (any APITransfer)?) {
        let built = try RequestBuilder(
            request: request, plugins: plugins, encoding: encoding, settings: APISettings(),
            journal: Journal(clock: ContinuousClock())
        ).build()
        return (built.urlRequest, built.transfer)
    }

    @Test("A header field's value may be empty or contain non-ASCII letters and tabs")
    func headerValues() throws {
        let request = TestRequest(Text.self) {
            $0.headers = ["X-Name": "Ann", "X-Place": "Köln", "X-Empty": "", "X-Tab": "a\tb"]
        }
        let (built, _) = try build(request)
        #expect(
            built.allHTTPHeaderFields == ["X-Name": "Ann", "X-Place": "Köln", "X-Empty": "", "X-Tab": "a\tb"])
    }

    @Test(
        "Header names keep their case even if another field has a non-ASCII value")
    func plainHeaders() throws {
        let (built, _) = try build(
            TestRequest(Text.self) { $0.headers = ["X-API-Key": "1", "X-Place": "Köln"] })
        #expect(built.allHTTPHeaderFields == ["X-API-Key": "1", "X-Place": "Köln"])
        #expect(built.value(forHTTPHeaderField: "x-api-key") == "1")
    }

    @Test("Parameters, header fields, interceptors and plugins are applied in order")
    func stages() throws {
        let request = TestRequest(Text.self) {
            $0.parameters = ["a": 1]
            $0.headers = ["X-One": "1"]
            $0.onParameters = { ($0 ?? [:]).merging(["b": 2]) }
            $0.onRequest = { request in
                var request = request
                request.setValue(request.url?.query, forHTTPHeaderField: "X-Signed")
                return request
            }
        }
        let plugin = NotingPlugin(notes: Recorded([])) { request in
            var request = request
            request.setValue(
                (request.value(forHTTPHeaderField: "X-Signed") ?? "") + "!", forHTTPHeaderField: "X-Plugin")
            return request
        }
        let (built, _) = try build(request, plugins: [plugin])
        #expect(built.url?.absoluteString == "http://test.example/thing?a=1&b=2")
        #expect(built.value(forHTTPHeaderField: "X-One") == "1")
        #expect(built.value(forHTTPHeaderField: "X-Plugin") == "a=1&b=2!")
    }

    @Test("An encoding passed to sendRequest overrides the request's encoding")
    func encoding() throws {
        let request = TestRequest(Text.self) {
            $0.method = .post
            $0.parameters = ["a": 1]
        }
        let (built, _) = try build(request, encoding: APIJSONEncoding.default)
        #expect(built.httpBody == Data(#"{"a":1}"#.utf8))
    }

    @Test("Parameters become the first fields of a multipart form, and the query of a file upload")
    func bodies() throws {
        let form = APIMultipartForm([.init(name: "f", content: .data(Data("x".utf8)))], boundary: "B")
        let multipart = TestRequest(Text.self) {
            $0.method = .post
            $0.parameters = ["a": 1]
            $0.taskType = .multipart(form)
        }
        let (built, transfer) = try build(multipart)
        #expect(built.value(forHTTPHeaderField: "Content-Type") == "multipart/form-data; boundary=B")
        let filled = try #require(transfer as? APIMultipartForm)
        #expect(filled.parts.map(\.name) == ["a", "f"])
        let upload = TestRequest(Text.self) {
            $0.method = .put
            $0.parameters = ["a": 1]
            $0.taskType = .upload(.data(Data()))
        }
        #expect(try build(upload).0.url?.query == "a=1")
    }

    @Test("An error thrown while building a request becomes the matching APIError")
    func errors() {
        #expect(throws: APIError.vetoed(APIVeto("no"))) {
            try build(TestRequest(Text.self) { $0.onRequest = { _ in throw APIVeto("no") } })
        }
        #expect(throws: APIError.requestError(.failed(Failure("odd")))) {
            try build(TestRequest(Text.self) { $0.onParameters = { _ in throw Failure("odd") } })
        }
        #expect(throws: APIError.requestError(.invalidURL("/x"))) {
            try build(TestRequest(Text.self) { $0.baseURL = url("/x") })
        }
        #expect(throws: APIError.vetoed(APIVeto("plugin"))) {
            try build(
                TestRequest(Text.self),
                plugins: [NotingPlugin(notes: Recorded([])) { _ in throw APIVeto("plugin") }])
        }
    }

    @Test(
        "A multipart form follows RFC 7578 and escapes names; with a file part, it is encoded into a file"
    )
    func form() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("in.txt")
        let content = String(repeating: "file's ", count: 20_000)
        try Data(content.utf8).write(to: file)
        var form = APIMultipartForm(
            [
                .init(
                    name: "a\"\r\nb", filename: "x.txt", contentType: "text/\r\nplain",
                    content: .data(Data("1".utf8)))
            ],
            boundary: "B")
        let expected =
            "--B\r\nContent-Disposition: form-data; name=\"a%22%0D%0Ab\"; filename=\"x.txt\"\r\n"
            + "Content-Type: text/plain\r\n\r\n1\r\n"
        guard case .data(let body) = try form.encoded() else {
            Issue.record("a form without files must be in memory")
            return
        }
        #expect(body == Data((expected + "--B--\r\n").utf8))
        form.parts.append(.init(name: "f", content: .file(file)))
        guard case .file(let written) = try form.encoded() else {
            Issue.record("not a file")
            return
        }
        #expect(
            try String(contentsOf: written, encoding: .utf8)
                == expected
                + "--B\r\nContent-Disposition: form-data; name=\"f\"\r\n\r\n\(content)\r\n--B--\r\n")
        form.discard(.file(written))
        #expect(!FileManager.default.fileExists(atPath: written.path))
    }
}
