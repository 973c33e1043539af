import APICache
import APIEvents
import APIService
import APIServiceTesting
import APITransfers
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("The README of APIService", .waitLimit)
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

    @Test("The README's request works with a stub client")
    func send() async throws {
        let client = StubAPIClient { _ in .json(#"{"name": "Ann"}"#) }
        let service = APIService(client: client, config: .forTests())
        let profile = try await service.sendRequest(ProfileRequest(id: 7))
        #expect(profile.name == "Ann")
        #expect(
            client.requests.first?.url?.absoluteString
                == "http://api.example/v1/profile?fields%5B%5D=name&fields%5B%5D=age&id=7")
        let response = await service.response(to: ProfileRequest(id: 7))
        print(response.explanation)
        #expect(response.explanation.attempts == 1)
    }

    @Test("The README's configuration with accessories, a token refresh and retries works")
    func settings() async throws {
        let session = Recorded((user: "ann", token: "old"))
        @Sendable func newToken(of user: String?) async throws -> String { user == "ann" ? "new" : "" }
        let config = APIConfig()
        config.update { settings in
            settings.accessories = [
                APIHeaderAccessory(["X-App": "demo"]),
                APITokenAccessory(user: { session.value.user }, token: { session.value.token }),
            ]
            settings.tokenRefresh = APITokenRefresh { user in
                try await newToken(of: user)
            } store: { token, user in
                session.update { if $0.user == user { $0.token = token } }
            }
            settings.retry = APIRetryPolicy(maximumAttempts: 3)
            settings.timeout = .seconds(20)
        }
        // With a virtual clock, the request cannot time out on a slow machine.
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

    @Test("The README's loop over events reconnects until the server responds with 204")
    func events() async throws {
        let answers = Recorded([
            "200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 0\ndata: hello\n\n",
            "204 No Content\r\n\r\n",
        ])
        let server = try LoopbackServer { _, connection in
            connection.sendLast("HTTP/1.1 \(answers.update { $0.removeFirst() })")
        }
        let service = APIService(client: URLSessionAPIClient(), config: .forTests())
        let source = APIEventSource(maximumReconnections: 5)
        for try await event in service.events(of: NewsRequest(server: server), source: source) {
            print(event.name, event.data)
        }
        #expect(server.requests.count == 2)
    }

    private struct Cached: APIRequest {
        typealias Response = Profile
        var baseURL: URL { url("http://api.example/v1") }
        var path: String { "/cached" }
        var cache: APICache? { .cached(for: .seconds(60), staleIfError: .seconds(3_600)) }
    }

    @Test("The README's cached request is sent once")
    func cached() async throws {
        let client = StubAPIClient { _ in .json(#"{"name": "Ann"}"#) }
        let folder = try TemporaryFolder()
        let service = APIService(client: client, config: testSettings(folder))
        for _ in 1...2 { _ = try await service.sendRequest(Cached()) }
        #expect(client.requests.count == 1)
    }

    struct Form: APIRequest {
        typealias Response = APIEmpty
        let form: APIMultipartForm
        var baseURL: URL { url("http://api.example/v1") }
        var path: String { "/form" }
        var method: APIRequestMethod { .post }
        var taskType: APIRequestTaskType { .multipart(form) }
        var acceptableStatusCodes: Set<Int> { [200, 201] }
    }

    struct Signer: APIAccessory {
        func adapt(_ request: URLRequest) -> URLRequest {
            var request = request
            request.setValue("signed", forHTTPHeaderField: "X-Signature")
            return request
        }
    }

    struct Log: APIPlugin {
        let lines = Recorded<[String]>([])
        func willSend<T: APIRequest>(_ request: URLRequest, targetRequest: T) {
            lines.update { $0.append(request.url?.path ?? "") }
        }
    }

    @Test("The documented replacements for Alamofire and Moya features work")
    func replacements() async throws {
        let client = StubAPIClient { _ in .json(#"{"name": "Ann"}"#) }
        let (config, log, isOnline) = (APIConfig.forTests(), Log(), Recorded<Bool?>(true))
        let folder = try TemporaryFolder()
        config.update { settings in
            settings.isReachable = { isOnline.value }
            settings.accessories = [Signer()]
            settings.cacheTool = CacheTool(folder: folder.url)
        }
        let service = APIService(client: client, config: config)
        let response: APIResponse<Profile> = await completion { done in
            service.sendRequest(ProfileRequest(id: 7)) { response in done(response) }
        }
        #expect(response.result.value == Profile(name: "Ann"))
        #expect(client.requests.first?.value(forHTTPHeaderField: "X-Signature") == "signed")
        #expect(response.request?.cURL(redacting: ["X-Key"]).hasPrefix("curl -X GET") == true)

        let form = APIMultipartForm([.init(name: "a", content: .data(Data("b".utf8)))])
        _ = try await service.sendRequest(Form(form: form), plugins: [log])
        #expect(log.lines.value == ["/v1/form"])

        let letters = AsyncStream<Data> { continuation in
            continuation.yield(Data("b".utf8))
            continuation.finish()
        }
        let stream = TestRequest(Text.self) {
            $0.method = .post
            $0.taskType = .upload(.stream { letters })
        }
        _ = try await service.sendRequest(stream)

        let (file, part) = (
            folder.url.appendingPathComponent("file"), folder.url.appendingPathComponent("part")
        )
        let download = APIDownload(to: file, partial: part)
        let request = TestRequest(Text.self) { $0.taskType = .download(download) }
        _ = try await service.sendRequest(request)
        #expect(try Data(contentsOf: file) == Data(#"{"name": "Ann"}"#.utf8))

        let cached = TestRequest(Text.self) { $0.cache = .cached(for: .seconds(60), in: .memory) }
        _ = try await service.sendRequest(cached)
        #expect(await service.response(to: cached).source == .cache)
    }

    private static let catalog = "Sources/APIService/APIService.docc"

    /// The README and the articles of the documentation catalog.
    private func documents() throws -> [Readme] {
        let readme = try Readme()
        let files = try FileManager.default.contentsOfDirectory(
            atPath: readme.root.appending(path: Self.catalog).path)
        return try [readme]
            + files.filter { $0.hasSuffix(".md") }.map {
                try Readme("\(Self.catalog)/\($0)", in: readme.root)
            }
    }

    @Test("Every replacement in the article for users of Alamofire and Moya is used in these tests")
    func comingFrom() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let article = try Readme("\(Self.catalog)/Migrating.md", in: Readme().root)
        let rows = article.table(below: "## Coming from Alamofire and Moya")
        #expect(rows.count >= 15)
        for row in rows {
            #expect(row.count >= 2 && source.contains(row[1]), "\(row)")
        }
    }

    @Test("Every Swift block in the README and the articles equals the code in the file that the block names")
    func blocks() throws {
        let documents = try documents()
        #expect(try Readme().blocks(in: "swift").count >= 2 && documents.count >= 7)
        for document in documents {
            let stray = document.strayCode(indented: true).filter { $0.note != "a whole program" }
            #expect(stray.map(\.description) == [])
        }
    }
}

#if os(Linux)
extension ProcessTests {
    @Suite("The whole programs of the documentation", .waitLimit)
    struct WholeProgramTests {
        @Test(
            "Every whole program compiles without warnings when it is pasted",
            arguments: [
                "README.md", "Sources/APIService/APIService.docc/APIService.md",
                "Sources/APIService/APIService.docc/Examples.md",
            ])
        func programs(path: String) throws {
            let programs = try Readme(path, in: Readme().root).blocks(in: "swift")
                .filter { $0.note == "a whole program" }
            #expect(!programs.isEmpty)
            for program in programs {
                #expect(try Compiler.errors(in: program.text) == [])
                #expect(try Compiler.warnings(in: program.text) == [])
            }
        }
    }
}
#endif
