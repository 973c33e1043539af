import APIService
import APIServiceTesting
import Foundation
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    struct Profile: APIDefaultJSONParsable, Equatable {
        let name: String
    }

    struct ProfileRequest: APIRequest {
        typealias Response = Profile
        let id: Int
        var baseURL: URL { url("http://api.example/v1") }
        var path: String { "/profile" }
        var parameters: APIParameters? { ["id": .init(id), "fields": ["name", "age"]] }
    }

    @Test("a request, sent with a stub")
    func send() async throws {
        let client = StubAPIClient { _ in .json(#"{"name": "Ann"}"#) }
        let service = APIService(client: client, config: APIConfig())
        let profile = try await service.sendRequest(ProfileRequest(id: 7))
        #expect(profile.name == "Ann")
        #expect(
            client.requests.first?.url?.absoluteString
                == "http://api.example/v1/profile?fields%5B%5D=name&fields%5B%5D=age&id=7")
        let response = await service.response(to: ProfileRequest(id: 7))
        print(response.explanation)
        #expect(response.explanation.attempts == 1)
    }

    @Test("settings, accessories and a refresh are added from outside")
    func settings() async throws {
        let session = Recorded((user: "ann", token: "old"))
        let config = APIConfig()
        config.update { settings in
            settings.accessories = [
                APIHeaderAccessory(["X-App": "demo"]),
                APITokenAccessory(user: { session.value.user }, token: { session.value.token }),
            ]
            settings.tokenRefresh = APITokenRefresh { session.update { $0.token = "new" } }
            settings.retry = APIRetryPolicy(maximumAttempts: 3)
            settings.timeout = .seconds(20)
        }
        // However slow this machine is, the time limit is not what is tested.
        config.update { $0.clock = VirtualClock() }
        let client = StubAPIClient { request in
            request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
                ? .json(#"{"name": "Ann"}"#) : .text("", statusCode: 401)
        }
        let service = APIService(client: client, config: config)
        #expect(try await service.sendRequest(ProfileRequest(id: 7)) == Profile(name: "Ann"))
        #expect(client.requests.count == 2)
    }

    struct NewsRequest: APIRequest {
        typealias Response = APIEmpty
        let server: LoopbackServer
        var baseURL: URL { server.url("") }
        var path: String { "/events" }
    }

    @Test("events are read, and a new connection is made until the server wants none")
    func events() async throws {
        let answers = Recorded(["200 OK\r\n\r\nretry: 0\ndata: hello\n\n", "204 No Content\r\n\r\n"])
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 \(answers.update { $0.removeFirst() })")
            return false
        }
        let service = APIService(client: URLSessionAPIClient(), config: APIConfig())
        let source = APIEventSource(maximumReconnections: 5)
        for try await event in service.events(of: NewsRequest(server: server), source: source) {
            print(event.name, event.data)
        }
        #expect(server.requests.count == 2)
    }

    @Test("every block of Swift in it stands in a file of the package, and says in which")
    func blocks() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count >= 4)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }
}
