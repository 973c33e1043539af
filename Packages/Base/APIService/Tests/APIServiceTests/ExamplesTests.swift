import APICache
import APIEvents
import APIService
import APIServiceTesting
import APITransfers
import APITransport
import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs the programs of the article Examples. Each test contains a whole program, without its imports, and then checks
/// what the program has done.
@Suite("The examples", .waitLimit)
struct ExamplesTests {
    private static let article = "Sources/APIService/APIService.docc/Examples.md"

    @Test("A get prints the value, the source and the steps of its response")
    func get() async throws {
        struct Profile: APIDefaultJSONParsable {
            let name: String
        }

        struct ProfileRequest: APIRequest {
            typealias Response = Profile
            let id: Int
            var path: String { "/profile" }
            var parameters: APIParameters? { ["id": .init(id)] }
        }

        let server = StubAPIClient { _ in .json(#"{"name": "Ann"}"#) }
        let config = APIConfig()
        config.update { $0.baseURL = URL(string: "https://api.example/v1") }
        let service = APIService(client: server, config: config)
        let response = await service.response(to: ProfileRequest(id: 7))
        print(response.result.value?.name ?? "no name", response.source)
        print(response.explanation)

        #expect(response.result.value?.name == "Ann" && response.source == .network)
        #expect(server.requests.map { $0.url?.absoluteString } == ["https://api.example/v1/profile?id=7"])
    }

    @Test("A post sends its body as JSON and prints the parsed response")
    func post() async throws {
        struct Order: Encodable {
            let dish: String
        }

        struct Receipt: APIDefaultJSONParsable {
            let number: Int
        }

        struct PlaceOrder: APIRequest {
            typealias Response = Receipt
            let body: Order
            let path = "/orders"
            let method = APIRequestMethod.post
        }

        let server = StubAPIClient { _ in .json(#"{"number": 12}"#, statusCode: 201) }
        let config = APIConfig()
        config.update { $0.baseURL = URL(string: "https://api.example/v1") }
        let service = APIService(client: server, config: config)
        let receipt = try await service.sendRequest(PlaceOrder(body: Order(dish: "soup")))
        print(receipt.number)

        #expect(receipt.number == 12 && server.requests.first?.httpMethod == "POST")
        #expect(server.requests.first?.httpBody == Data(#"{"dish":"soup"}"#.utf8))
    }

    @Test("A download that breaks off continues with the bytes that are missing")
    func download() async throws {
        struct Archive: APIRequest {
            typealias Response = APIDownloadedFile
            let download: APIDownload
            let path = "/archive"
            var taskType: APIRequestTaskType { .download(download) }
        }

        // The connection breaks after four bytes, and the next request asks for the rest.
        let server = StubAPIClient { request in
            guard request.value(forHTTPHeaderField: "Range") == "bytes=4-" else {
                return .init(
                    headers: ["ETag": #""1""#, "Content-Length": "10"], pieces: [Data("0123".utf8)],
                    error: .broken(URLError(.networkConnectionLost)))
            }
            let headers = ["ETag": #""1""#, "Content-Range": "bytes 4-9/10"]
            return .text("456789", statusCode: 206, headers: headers)
        }
        let config = APIConfig()
        config.update { settings in
            settings.baseURL = URL(string: "https://api.example/v1")
            settings.retry = APIRetryPolicy(maximumAttempts: 3, baseDelay: .zero)
        }
        let service = APIService(client: server, config: config)
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let download = APIDownload(
            to: folder.appending(path: "archive"), partial: folder.appending(path: "archive.part"),
            limit: 100 << 20)
        let file = try await service.sendRequest(Archive(download: download)) { progress in
            print("\(progress.completed) of \(progress.total ?? 0) bytes")
        }
        print(try String(contentsOf: file.url, encoding: .utf8))
        try FileManager.default.removeItem(at: folder)

        #expect(server.requests.map { $0.value(forHTTPHeaderField: "If-Range") } == [nil, #""1""#])
    }

    @Test("A stream delivers one event after another")
    func stream() async throws {
        struct News: APIRequest {
            typealias Response = APIEmpty
            let path = "/news"
        }

        let server = StubAPIClient { _ in
            .text("data: rain\n\ndata: sun\n\n", headers: ["Content-Type": "text/event-stream"])
        }
        let config = APIConfig()
        config.update { $0.baseURL = URL(string: "https://api.example/v1") }
        let service = APIService(client: server, config: config)
        var received: [String] = []
        for try await event in service.events(of: News()) { received.append(event.data) }
        print(received)

        #expect(received == ["rain", "sun"])
    }

    @Test("A rejected token is refreshed, stored for its user, and sent with the next attempt")
    func refresh() async throws {
        final class Session: Sendable {
            private let state = Mutex((user: "ann", token: "old"))

            var user: String { state.withLock { $0.user } }
            var token: String { state.withLock { $0.token } }

            /// Stores a new token, unless another user has logged in.
            func store(_ token: String, of user: String?) {
                state.withLock { if $0.user == user { $0.token = token } }
            }
        }

        struct NewToken: APIRequest {
            struct Response: APIDefaultJSONParsable {
                let token: String
            }
            let path = "/token"
            let method = APIRequestMethod.post
        }

        struct Order: APIDefaultJSONParsable {
            let dish: String
        }

        struct Orders: APIRequest {
            typealias Response = [Order]
            let path = "/orders"
        }

        let server = StubAPIClient { request in
            if request.url?.path == "/v1/token" { return .json(#"{"token": "new"}"#) }
            let isValid = request.value(forHTTPHeaderField: "Authorization") == "Bearer new"
            return isValid ? .json(#"[{"dish": "soup"}]"#) : .text("", statusCode: 401)
        }
        let session = Session()
        let config = APIConfig()
        let service = APIService(client: server, config: config)
        config.update { settings in
            settings.baseURL = URL(string: "https://api.example/v1")
            settings.accessories = [
                APITokenAccessory(user: { session.user }, token: { session.token })
            ]
            settings.tokenRefresh = APITokenRefresh { _ in
                try await service.sendRequest(NewToken()).token
            } store: { token, user in
                session.store(token, of: user)
            }
        }
        print(try await service.sendRequest(Orders()).map(\.dish))

        #expect(server.requests.map { $0.url?.lastPathComponent } == ["orders", "token", "orders"])
    }

    @Test("A cached response is delivered without a second exchange")
    func cache() async throws {
        struct Dish: APIDefaultJSONParsable {
            let name: String
        }

        struct Menu: APIRequest {
            typealias Response = [Dish]
            let path = "/menu"
            var cache: APICache? { .cached(for: .seconds(60), staleIfError: .seconds(3_600)) }
        }

        let server = StubAPIClient { _ in .json(#"[{"name": "soup"}]"#) }
        let config = APIConfig()
        config.update { settings in
            settings.baseURL = URL(string: "https://api.example/v1")
            settings.cacheTool = CacheTool.inMemory()
        }
        let service = APIService(client: server, config: config)
        for _ in 1...2 { print(await service.response(to: Menu()).source) }

        #expect(server.requests.count == 1)
    }

    @Test("An error says what the app can do about it")
    func errors() async throws {
        struct Payment: APIRequest {
            typealias Response = APIEmpty
            let path = "/payment"
            let method = APIRequestMethod.post
        }

        let server = StubAPIClient { _ in .json(#"{"reason": "no cover"}"#, statusCode: 402) }
        let config = APIConfig()
        config.update { $0.baseURL = URL(string: "https://api.example/v1") }
        let service = APIService(client: server, config: config)
        var advice = "The payment was made."
        do {
            _ = try await service.sendRequest(Payment())
        } catch {
            switch error {
            case .unreachable: advice = "Try again when there is a network."
            case .connectionError, .timedOut: advice = "Ask the server whether the payment was made."
            case .responseError(.unacceptableStatus(let failure)):
                advice = String(decoding: failure.body, as: UTF8.self)
            case .refreshFailed, .userChanged: advice = "Log in again."
            default: advice = "Report this: \(error)"
            }
        }
        print(advice)

        #expect(advice == #"{"reason": "no cover"}"#)
    }

    @Test("Every program of the article is the code of a test")
    func programs() throws {
        let source = try String(contentsOfFile: #filePath, encoding: .utf8)
        let blocks = try Readme(Self.article, in: Readme().root).blocks(in: "swift")
        #expect(blocks.count == 7)
        for block in blocks {
            #expect(block.note == "a whole program")
            let code = block.lines.drop { $0.isEmpty || $0.hasPrefix("import ") }
            #expect(Readme.Block(lines: Array(code)).stands(in: source, indented: true), "\(block)")
        }
    }
}
