import APIService
import APIServiceTesting
import APITransport
import Foundation
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Invalid header fields and curl commands")
struct HeaderTests {
    private struct Renaming: APIAccessory {
        func adapt(_ request: URLRequest) -> URLRequest {
            var request = request
            request.setValue("1", forHTTPHeaderField: "X-A\r\nX-Smuggled")
            return request
        }
    }

    @Test("A request's curl command contains no credentials, and the shell reads each argument as one word")
    func curl() {
        var request = URLRequest(url: url("http://ann:pw@h.example/p?key=secret&q=a%20b"))
        request.httpMethod = "PUT"
        request.allHTTPHeaderFields = ["Authorization": "Bearer secret", "X-Key": "secret", "X-B": "it's"]
        request.httpBody = Data("{'a'}".utf8)
        #expect(
            request.cURL(redacting: ["X-Key", "key"])
                == #"curl -X PUT -H 'Authorization: ***' -H 'X-B: it'\''s' -H 'X-Key: ***' "#
                + #"--data-raw '{'\''a'\''}' 'http://***@h.example/p?key=***&q=a%20b'"#)
        #expect(!request.cURL(includesBody: false).contains("--data-raw"))
        let escaped = URLRequest(url: url("http://h/?user%5Btoken%5D=secret"))
        #expect(!escaped.cURL(redacting: ["user[token]"]).contains("secret"))
    }

    @Test("Only a request for a range asks for a body without a coding, unless it asks for one itself")
    func range() async {
        let client = StubAPIClient { _ in .text("") }
        let service = APIService(client: client, config: testSettings())
        let own: APIRequestHeaders = ["Range": "bytes=0-9", "Accept-Encoding": "br"]
        for headers: APIRequestHeaders in [[:], ["Range": "bytes=0-9"], own] {
            _ = await service.response(to: TestRequest(APIEmpty.self) { $0.headers = headers })
        }
        let codings = client.requests.map { $0.value(forHTTPHeaderField: "Accept-Encoding") }
        #expect(codings == [nil, "identity", "br"])
    }

    @Test("Of names that differ only in case, the last one in order is kept")
    func unique() {
        let headers = APIHeaders(["b": "1", "B": "2", "a": "3"])
        #expect(headers.map { "\($0.name): \($0.value)" } == ["a: 3", "b: 1"])
        #expect(headers["B"] == "1")
    }

    @Test("Collections are equal, also in a set, regardless of the order and the case of the names")
    func equality() {
        var headers = APIHeaders()
        headers["a"] = nil
        #expect(headers == [:])
        headers["A"] = "1"
        headers["b"] = "2"
        #expect(Set([headers, ["B": "2", "a": "1"], ["b": "2", "a": "2"]]).count == 2)
        headers["a"] = nil
        #expect(headers == ["B": "2"])
    }

    enum Place: CaseIterable { case requestValue, requestName, headerAccessory, token, ownAccessory, prepare }

    @Test(
        "A header field with a line break in its name or value is an error, and nothing is sent",
        arguments: Place.allCases)
    func lineBreak(place: Place) async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200) }
        let accessories: [any APIAccessory] =
            switch place {
            case .headerAccessory: [APIHeaderAccessory(["X-App": "a\nb"])]
            case .token: [APITokenAccessory(user: { "ann" }, token: { "secret\n" })]
            case .ownAccessory: [Renaming()]
            default: []
            }
        let service = APIService(
            client: URLSessionAPIClient(), config: testSettings { $0.accessories = accessories })
        let request = TestRequest(APIEmpty.self) {
            $0.baseURL = server.url("")
            if place == .requestValue { $0.headers = ["X-Name": "Ann", "X-Bad": "1\r\nX-More: 2"] }
            if place == .requestName { $0.headers = ["X Bad": "1"] }
        }
        let naming = NotingPlugin(notes: Recorded([])) { request in
            Renaming().adapt(request)
        }
        let response = await service.response(to: request, plugins: place == .prepare ? [naming] : [])
        guard case .requestError(.invalidHeader(let text)) = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(!text.contains("secret") && !text.contains("\n"))
        #expect(server.requests.isEmpty)
    }
}
