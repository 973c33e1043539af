import APIService
import APIServiceTesting
import ErrorCode
import Foundation
import Testing
import TransitRequests

private struct GreetingRequest: TransitRequest {
    typealias Payload = String
    let baseURL = url("https://transit.example")
    let path = "/greeting"
}

/// Creates a URL from a string that is known to be valid.
private func url(_ text: String) -> URL {
    guard let url = URL(string: text) else { preconditionFailure("\(text) is not a valid URL") }
    return url
}

@Suite("Requests to the operator's server")
struct TransitRequestsTests {
    private func ask(_ json: String, status: Int = 200) async throws(TransitError) -> String {
        let client = StubAPIClient { _ in .json(json, statusCode: status) }
        let service = APIService(client: client, config: .forTests())
        let answer = try await service.ask(GreetingRequest())
        #expect(!answer.isCached)
        return answer.payload
    }

    @Test("A successful request to the operator's server returns the payload of the response's envelope")
    func success() async throws {
        #expect(try await ask(#"{"code": 0, "desc": "", "data": "hello"}"#) == "hello")
    }

    @Test(
        "A payment names its passenger, the ride and the device, if there is one", arguments: [nil, "watch"])
    func payment(device: String?) async throws {
        let client = StubAPIClient { _ in
            .json(#"{"code": 0, "desc": "", "data": {"cents": 250, "paidWith": "watch", "balance": 1}}"#)
        }
        let service = APIService(client: client, config: .forTests())
        let server = url("https://transit.example"),
            token = APITokenAccessory(user: { "ann" }, token: { nil })
        service.config.update { ($0.baseURL, $0.accessories) = (server, [token]) }
        func pay(_ passenger: String) async throws(TransitError) -> PaymentRequest.Payload {
            try await service.ask(
                PaymentRequest(of: passenger, key: "k", exit: "e", from: "A", to: "B", device: device)
            ).payload
        }
        await #expect(throws: TransitError.self) { try await pay("bob") }
        #expect(client.requests.isEmpty)
        let payload = try await pay("ann")
        #expect(payload.cents == 250 && payload.paidWith == "watch" && payload.balance == 1)
        let body = try #require(client.requests.first?.httpBody)
        var sent = ["key": "k", "exit": "e", "from": "A", "to": "B"]
        sent["device"] = device
        #expect(try JSONDecoder().decode([String: String].self, from: body) == sent)
    }

    @Test(
        "Only a code that this version knows, and that is no failure of the server, is a refusal",
        arguments: [(1001, true), (5004, true), (9999, false), (4711, false)])
    func refusal(code: Int, isRefusal: Bool) {
        let error = TransitError.refused(ErrorCode(rawValue: code))
        #expect(error.refusal?.rawValue == (isRefusal ? code : nil))
        #expect(!error.isUnanswered)
    }

    @Test("A lost connection is no answer, and a status or a body that is not understood is one")
    func unanswered() {
        let status = APIStatusFailure(statusCode: 503)
        let lost: [APIError] = [.networkError, .connectionError(Lost()), .timedOut, .cancelled]
        #expect(lost.map { TransitError.network($0) }.allSatisfy { $0.isUnanswered && $0.refusal == nil })
        let answers: [APIError] = [
            .responseError(.unacceptableStatus(status)), .responseError(.invalidParseResponse(Lost())),
        ]
        #expect(answers.map { TransitError.network($0) }.allSatisfy { !$0.isUnanswered && $0.refusal == nil })
    }

    private struct Lost: Error {}

    @Test(
        "A response with an error code throws TransitError.refused, even if other fields are missing",
        arguments: [1002, 4711],
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
        "Every network error is described to the passenger in a sentence without technical terms",
        arguments: [
            APIError.networkError, .connectionError(URLError(.badServerResponse)), .timedOut, .cancelled,
            .userChanged,
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
        "A response without the expected envelope is reported as a network error",
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
