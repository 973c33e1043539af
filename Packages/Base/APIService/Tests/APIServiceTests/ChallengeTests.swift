import APIService
import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APITransport

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

    /// A challenge needs a sender, which nothing calls.
    private final class Sender: NSObject, URLAuthenticationChallengeSender {
        func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {}
        func continueWithoutCredential(for challenge: URLAuthenticationChallenge) {}
        func cancel(_ challenge: URLAuthenticationChallenge) {}
        func performDefaultHandling(for challenge: URLAuthenticationChallenge) {}
        func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {}
    }

    enum Verdict: CaseIterable { case none, trusted, refused }

    @Test(
        "A client's check trusts a server, refuses it, or leaves it to the session",
        arguments: Verdict.allCases)
    func check(verdict: Verdict) throws {
        let (ends, request) = (Recorded<[APITransportError?]>([]), URLRequest(url: url("https://h.example/")))
        let (client, queue) = (URLSessionAPIClient(), OperationQueue())
        let hub = URLSessionDelegateHub(redirects: RedirectPolicy(), queue: queue) { _ in
            if verdict == .refused { throw Failure("no such key") }
            return verdict == .none ? nil : URLCredential(user: "ann", password: "", persistence: .none)
        }
        let exchange = URLSessionExchange(request, upload: nil, client: client, progressHandler: nil) {
            if case .end(let error) = $0 { ends.update { $0.append(error) } }
        }
        let session = client.session(for: request)
        let task = session.dataTask(with: request)
        hub.add(exchange, for: task)
        let space = URLProtectionSpace(
            host: "h.example", port: 443, protocol: "https", realm: nil,
            authenticationMethod: "NSURLAuthenticationMethodServerTrust")
        let challenge = URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: 0, failureResponse: nil,
            error: nil, sender: Sender())
        var answer: (URLSession.AuthChallengeDisposition, String?)?
        hub.urlSession(session, task: task, didReceive: challenge) { answer = ($0, $1?.user) }
        switch verdict {
        case .none: #expect(answer?.0 == .performDefaultHandling && answer?.1 == nil)
        case .trusted: #expect(answer?.0 == .useCredential && answer?.1 == "ann")
        case .refused: #expect(answer?.0 == .cancelAuthenticationChallenge && answer?.1 == nil)
        }
        #expect(ends.value.count == (verdict == .refused ? 1 : 0))
        for case .broken(let error as APIUntrustedServer)? in ends.value where verdict == .refused {
            #expect(error.host == "h.example" && "\(error.underlying)" == "no such key")
            ends.update { $0 = [] }
        }
        #expect(ends.value.isEmpty)
        task.cancel()
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
