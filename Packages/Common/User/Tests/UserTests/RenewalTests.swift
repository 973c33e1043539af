import APIService
import APIServiceTesting
import ApiCenter
import Foundation
import Storage
import TestSupport
import Testing

@testable import User

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The renewal of a token", .timeLimit(.minutes(10)), .waitLimit)
struct RenewalTests {
    /// An accessory without credentials, which runs a closure when the next request asks for its user.
    private struct Interruption: APIAccessory {
        let next = Recorded<(@Sendable () -> Void)?>(nil)

        var user: String? {
            let run = next.update { next in
                defer { next = nil }
                return next
            }
            run?()
            return nil
        }

        func adapt(_ request: URLRequest) -> URLRequest { request }
    }

    private struct Request: APIRequest {
        typealias Response = Data
        let path = "/journeys"
    }

    @Test(
        "A renewal is not sent with the token of a session that replaces the old one just before",
        arguments: [("8", "u"), ("7", "t2")])
    func replacedBefore(id: String, token: String) async throws {
        let storage = Storage.inMemory(), center = ApiCenter()
        let saved = try SavedSession(in: storage)
        _ = try saved.replace(with: SignedSession(id: "7", name: "Ann", token: "t"))
        let interruption = Interruption()
        let client = StubAPIClient { request in
            guard request.url?.path() == "/journeys" else {
                return .json(#"{"code": 0, "desc": "", "data": {"token": "new"}}"#)
            }
            // Between the decision to renew the token and the request that renews it, the session is replaced.
            interruption.next.update { next in
                next = {
                    do {
                        _ = try saved.replace(with: SignedSession(id: id, name: "", token: token))
                    } catch {
                        Issue.record(error)
                    }
                }
            }
            return .json("", statusCode: 401)
        }
        let url = URL(string: "https://transit.example")
        let network = APIService(client: client, config: .forTests { $0.baseURL = url })
        center.register(APIService.self) { network }
        center.register(Storage.self) { storage }
        UserModule().register(in: center)
        try await UserModule().prepare(in: center)
        network.config.update { $0.accessories.insert(interruption, at: 0) }
        await #expect(throws: APIError.self) { try await network.sendRequest(Request()) }
        #expect(client.requests.map { $0.url?.path() } == ["/journeys"])
        #expect(saved.session?.token == token)
    }
}
