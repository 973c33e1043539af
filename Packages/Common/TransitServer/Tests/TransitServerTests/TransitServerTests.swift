import APIService
import APIServiceTesting
import ErrorCode
import Foundation
import Testing
import TransitServer

private struct GreetingRequest: TransitRequest {
    typealias Payload = String
    let baseURL = url("https://transit.example")
    let path = "/greeting"
}

/// A URL that is one.
private func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is no URL") }
    return url
}

@Suite("The operator's server")
struct TransitServerTests {
    private func ask(_ json: String, status: Int = 200) async throws(TransitError) -> String {
        let client = StubAPIClient { _ in .json(json, statusCode: status) }
        let service = APIService(client: client, config: APIConfig())
        // No limit on time: the machine may be busy.
        service.config.update { $0.timeout = nil }
        return try await service.ask(GreetingRequest()).payload
    }

    @Test("gives what its envelope holds")
    func success() async throws {
        #expect(try await ask(#"{"code": 0, "desc": "", "data": "hello"}"#) == "hello")
    }

    @Test(
        "refuses with a code, known or not, whatever else its envelope holds", arguments: [1002, 4711],
        [#""desc": "no""#, #""data": null"#, #""desc": "no", "data": {}"#])
    func refused(code: Int, rest: String) async {
        let error = await #expect(throws: TransitError.self) {
            try await ask(#"{"code": \#(code), \#(rest)}"#)
        }
        guard case .refused(ErrorCode(rawValue: code)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test(
        "is spoken of in sentences for a passenger, with nothing of the system's in them",
        arguments: [
            APIError.networkError, .connectionError(URLError(.badServerResponse)), .timedOut, .cancelled,
            .responseError(.unacceptableStatus(APIStatusFailure(statusCode: 503))),
            .responseError(.invalidParseResponse(URLError(.cannotParseResponse))),
            .vetoed(APIVeto("the app is not set up.")), .requestError(.failed(URLError(.badURL))),
            .cacheError(.missing),
        ])
    func sentences(error: APIError) throws {
        let text = TransitError.network(error).description
        #expect(text.hasSuffix(".") || text.hasSuffix(")."))
        #expect(text.first?.isUppercase == true)
        #expect(!text.contains("Error") && !text.contains("NSURL"))
        #expect(text.contains("503") == (error.description.contains("503")))
    }

    @Test(
        "is told apart from something else that answers",
        arguments: [
            ("<html>", 200), ("{}", 200), ("", 503), (#"{"code": 0, "desc": ""}"#, 200),
            (#"{"code": 0, "desc": "", "data": null}"#, 200),
        ])
    func foreign(body: String, status: Int) async {
        let error = await #expect(throws: TransitError.self) { try await ask(body, status: status) }
        guard case .network = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
