import APIService
import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Responses that URLSession would handle itself by default", .timeLimit(.minutes(10)), .waitLimit)
struct ChallengeTests {
    @Test(
        "A 401 with any challenge is delivered with its body, and the token is refreshed",
        arguments: ["Basic realm=\"a\"", "Digest realm=\"a\", nonce=\"b\"", "Bearer", "Negotiate"])
    func challenge(text: String) async throws {
        let server = try LoopbackServer { request, connection in
            request.fields["authorization"] == "Bearer new"
                ? connection.answer(200, [:], Data("ok".utf8))
                : connection.answer(401, ["WWW-Authenticate": text], Data("who?".utf8))
        }
        let token = Recorded("old")
        let service = APIService(
            client: URLSessionAPIClient(),
            config: testSettings {
                $0.accessories = [APITokenAccessory(user: { "ann" }, token: { token.value })]
            })
        let request = TestRequest(Text.self) { $0.baseURL = server.url("") }
        let refused = await service.response(to: request)
        #expect(refused.response?.statusCode == 401)
        #expect(refused.data.map { String(decoding: $0, as: UTF8.self) } == "who?")
        #expect(server.requests.count == 1)
        service.config.update {
            $0.tokenRefresh = APITokenRefresh(timeout: nil) { _ in
                "new"
            } store: { new, _ in
                token.update { $0 = new }
            }
        }
        #expect(try await service.sendRequest(request) == Text("ok"))
        #expect(server.requests.count == 3)
    }

    @Test(
        "A redirect whose Location is missing or unusable is delivered unchanged, and the request is sent once",
        arguments: [nil, "", "mailto:a@b", "http://", "ht!tp:/x"] as [String?], [301, 303, 307])
    func location(text: String?, status: Int) async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer(status, text.map { ["Location": $0] } ?? [:])
        }
        let service = APIService(
            client: URLSessionAPIClient(),
            config: testSettings { $0.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero) })
        let response = await service.response(to: TestRequest(Text.self) { $0.baseURL = server.url("") })
        #expect(response.response?.statusCode == status, "\(response.result)")
        #expect(server.requests.count == 1)
    }
}
