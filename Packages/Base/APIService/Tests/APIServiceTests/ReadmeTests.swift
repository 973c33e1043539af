import APIService
import APIServiceTesting
import Foundation
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
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let blocks = try ReadmeBlocks.all(root)
        #expect(blocks.count >= 4)
        for block in blocks {
            #expect(try block.stands(in: root), "\(block)")
        }
    }
}

/// The Swift blocks of a README, each with the file that it is from.
struct ReadmeBlocks: CustomStringConvertible {
    let file: String?
    let lines: [String]
    var description: String { "\(file ?? "no file"):\n\(lines.joined(separator: "\n"))" }

    static func all(_ root: URL) throws -> [ReadmeBlocks] {
        let text = try String(contentsOf: root.appendingPathComponent("README.md"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        return lines.indices.filter { lines[$0] == "```swift" }.map { start in
            let mark = start > 0 ? lines[start - 1] : ""
            let isMarked = mark.hasPrefix("<!-- from ") && mark.hasSuffix(" -->")
            return ReadmeBlocks(
                file: isMarked ? String(mark.dropFirst(10).dropLast(4)) : nil,
                lines: Array(lines[(start + 1)...].prefix { $0 != "```" }))
        }
    }

    /// Whether the file has these lines one after the other, all of them indented by the same.
    func stands(in root: URL) throws -> Bool {
        guard let file, let first = lines.first else { return false }
        let there = try String(contentsOf: root.appendingPathComponent(file), encoding: .utf8)
            .components(separatedBy: "\n")
        return there.indices.contains { start in
            guard there[start].hasSuffix(first), start + lines.count <= there.count else { return false }
            let indent = there[start].dropLast(first.count)
            guard indent.allSatisfy({ $0 == " " }) else { return false }
            return zip(lines, there[start...]).allSatisfy { $0.isEmpty ? $1.isEmpty : indent + $0 == $1 }
        }
    }
}
