import APICache
import APIEvents
import APIServiceTesting
import APITransfers
import APITransport
import Foundation
import TestSupport
import Testing

@testable import APIService

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Servers that answer with something else than was asked for", .waitLimit)
struct HostileAnswerTests {
    private let folder: TemporaryFolder
    private let service = APIService(client: URLSessionAPIClient(), config: testSettings())
    private var file: URL { folder.url.appendingPathComponent("file") }

    init() throws { folder = try TemporaryFolder() }

    // MARK: Redirects and the cache

    private func cached(_ server: LoopbackServer, _ path: String) -> TestRequest<Text> {
        TestRequest {
            $0.baseURL = server.url("")
            $0.path = path
            $0.cache = .cached(in: .memory)
        }
    }

    @Test("A response is stored under the URL that gave it, not under the URL that redirected to it")
    func storedUnderItsURL() async throws {
        let latest = Recorded("/v1")
        let server = try LoopbackServer { request, connection in
            request.path == "/latest"
                ? connection.answer(302, ["Location": latest.value, "Cache-Control": "no-store"])
                : connection.answer(200, ["Cache-Control": "max-age=31536000"], Data(request.path.utf8))
        }
        service.config.update { $0.cacheTool = CacheTool.inMemory() }
        #expect(await service.response(to: cached(server, "/latest")).result.value == Text("/v1"))
        latest.update { $0 = "/v2" }
        #expect(await service.response(to: cached(server, "/latest")).result.value == Text("/v2"))
        let first = await service.response(to: cached(server, "/v1"))
        #expect(first.source == .cache && first.result.value == Text("/v1"))
    }

    @Test("A response from another origin is not stored, because its request had no credentials")
    func storedFromOtherOrigin() async throws {
        let other = try LoopbackServer { request, connection in
            connection.answer(
                200, ["Cache-Control": "max-age=60"], Data((request.fields["authorization"] ?? "none").utf8))
        }
        let target = other.url("/b").absoluteString
        let server = try LoopbackServer { _, connection in connection.answer(302, ["Location": target]) }
        service.config.update {
            $0.cacheTool = CacheTool.inMemory()
            $0.accessories = [APITokenAccessory(user: { "ann" }, token: { "secret" })]
        }
        #expect(await service.response(to: cached(server, "/a")).result.value == Text("none"))
        #expect(await service.response(to: cached(other, "/b")).result.value == Text("Bearer secret"))
    }

    @Test(
        "A response after a redirect is not stored if its request is unsafe, or a custom key would hide the redirect",
        arguments: [true, false])
    func redirectedKey(isUnsafe: Bool) async throws {
        let server = try LoopbackServer { [count = Recorded(0)] request, connection in
            request.path == "/a"
                ? connection.answer(307, ["Location": "/b"])
                : connection.answer(200, ["Cache-Control": "max-age=60"], Data("\(count.next())".utf8))
        }
        service.config.update { $0.cacheTool = CacheTool.inMemory() }
        func send(_ path: String) async -> String? {
            var request = cached(server, path)
            if isUnsafe {
                request.method = .post
            } else {
                request.cache?.customCacheKeyHandler = { _ in "key" }
            }
            return await service.response(to: request).result.value?.text
        }
        #expect(await [send("/a"), send("/a"), send("/b"), send("/b")] == ["1", "2", "3", "3"])
    }

    @Test(
        "A validator does not follow a redirect, so a 304 never validates the response of another URL",
        arguments: [true, false])
    func validator(isSameOrigin: Bool) async throws {
        let other = try LoopbackServer { request, connection in
            request.fields["if-none-match"] == nil
                ? connection.answer(200, [:], Data("other".utf8)) : connection.answer(304, ["ETag": "\"1\""])
        }
        let moved = Recorded(false)
        let target = other.url("/b").absoluteString
        let server = try LoopbackServer { request, connection in
            if request.path == "/b" {
                return request.fields["if-none-match"] == nil
                    ? connection.answer(200, [:], Data("other".utf8))
                    : connection.answer(304, ["ETag": "\"1\""])
            }
            return moved.value
                ? connection.answer(302, ["Location": isSameOrigin ? "/b" : target])
                : connection.answer(200, ["ETag": "\"1\"", "Cache-Control": "max-age=0"], Data("own".utf8))
        }
        service.config.update { $0.cacheTool = CacheTool.inMemory() }
        #expect(await service.response(to: cached(server, "/a")).result.value == Text("own"))
        moved.update { $0 = true }
        #expect(await service.response(to: cached(server, "/a")).result.value == Text("other"))
        #expect(server.requests.contains { $0.fields["if-none-match"] == "\"1\"" })
    }

    @Test("A 304 that a client got from another URL validates nothing, and the request is sent again")
    func foreign304() async throws {
        /// Sends validations to another URL, as a client with its own redirects might.
        struct Moving: APIStreamingClient {
            let stub: StubAPIClient
            func createStreamRequest(
                request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
                eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
            ) -> any APIRequestTask {
                var request = request
                if request.value(forHTTPHeaderField: "If-None-Match") != nil {
                    request.url = url("http://other.example/b")
                }
                return stub.createStreamRequest(
                    request: request, upload: upload, progressHandler: progressHandler,
                    eventHandler: eventHandler)
            }
        }
        let client = StubAPIClient { request in
            request.value(forHTTPHeaderField: "If-None-Match") == nil
                ? .text("own", headers: ["ETag": "\"1\"", "Cache-Control": "max-age=0"])
                : .text("", statusCode: 304, headers: ["ETag": "\"1\""])
        }
        let service = APIService(
            client: Moving(stub: client), config: testSettings { $0.cacheTool = CacheTool.inMemory() })
        let request = TestRequest(Text.self) { $0.cache = .cached(in: .memory) }
        _ = await service.response(to: request)
        #expect(await service.response(to: request).source == .network)
        #expect(client.requests.count == 3)
    }

    @Test("A stored validator that no header field may contain is not sent")
    func unusableValidator() async throws {
        let answers = Recorded(0)
        let client = StubAPIClient { _ in
            .text("\(answers.next())", headers: ["ETag": "\"1\u{1}\"", "Cache-Control": "max-age=0"])
        }
        let service = APIService(client: client, config: testSettings { $0.cacheTool = CacheTool.inMemory() })
        let request = TestRequest(Text.self) { $0.cache = .cached(in: .memory) }
        #expect(await service.response(to: request).result.value == Text("1"))
        #expect(await service.response(to: request).result.value == Text("2"))
    }

    @Test("After a 304 without Age or Date, the response is as fresh as at first (RFC 9111, 4.3.4)")
    func renewedAge() async throws {
        let date = Recorded(Date(timeIntervalSince1970: 1_000_000))
        let server = try LoopbackServer { request, connection in
            request.fields["if-none-match"] == nil
                ? connection.answer(
                    200,
                    [
                        "ETag": "\"1\"", "Age": "50", "Cache-Control": "max-age=60",
                        "Date": "Mon, 12 Jan 1970 13:46:00 GMT",
                    ], Data("own".utf8))
                : connection.answer(304, ["ETag": "\"1\""])
        }
        service.config.update {
            $0.cacheTool = CacheTool.inMemory()
            $0.now = { date.value }
        }
        var sources: [APIResponseSource] = []
        for _ in 0..<4 {
            sources.append(await service.response(to: cached(server, "/a")).source)
            date.update { $0 += 11 }
        }
        #expect(sources == [.network, .validated, .cache, .cache])
    }

    // MARK: Tokens

    @Test("A 401 from an origin that never got the token refreshes nothing", arguments: [false, true])
    func foreign401(isStream: Bool) async throws {
        let other = try LoopbackServer { _, connection in connection.answer(401) }
        let target = other.url("/b").absoluteString
        let server = try LoopbackServer { _, connection in connection.answer(302, ["Location": target]) }
        let refreshes = Recorded(0)
        service.config.update {
            $0.accessories = [APITokenAccessory(user: { "ann" }, token: { "secret" })]
            $0.tokenRefresh = APITokenRefresh { _ in
                "\(refreshes.next())"
            } store: { _, _ in
            }
        }
        let request = TestRequest(Text.self) { $0.baseURL = server.url("") }
        if isStream {
            await #expect(throws: APIError.self) {
                for try await _ in service.events(of: request) {}
            }
        } else {
            #expect(await service.response(to: request).response?.statusCode == 401)
        }
        #expect(refreshes.value == 0)
        #expect(other.requests.count == 1)
    }

    @Test(
        "Late refusals of the old token fail with the error of the refresh that failed, without another refresh"
    )
    func lateRefusal() async throws {
        let (late, there) = (Door(), Door())
        let client = StubAPIClient { request in
            if request.url?.path == "/late" {
                there.open()
                await late.pass()
            }
            return .text("", statusCode: 401)
        }
        let refreshes = Recorded(0)
        let service = APIService(
            client: client,
            config: testSettings {
                $0.tokenRefresh = APITokenRefresh { _ in
                    _ = refreshes.next()
                    throw Failure("logged out")
                } store: { _, _ in
                }
            })
        async let other = service.response(to: TestRequest(Text.self) { $0.path = "/late" })
        await there.pass()
        let failed = APIError.refreshFailed(Failure("logged out"))
        #expect(await service.response(to: TestRequest(Text.self)).result.error == failed)
        late.open()
        #expect(await other.result.error == failed)
        #expect(refreshes.value == 1)
        // A request that was sent after the failed refresh starts a new one.
        #expect(await service.response(to: TestRequest(Text.self)).result.error == failed)
        #expect(refreshes.value == 2)
    }

    @Test("A request whose second attempt is refused is sent again if the token has been renewed meanwhile")
    func renewedMeanwhile() async throws {
        let token = Recorded(1)
        let attempts = Recorded(0)
        let own = Recorded<APIService?>(nil)
        let client = StubAPIClient { request in
            let sent = request.value(forHTTPHeaderField: "Authorization") ?? ""
            if request.url?.path == "/forbidden" { return .text("", statusCode: 401) }
            if attempts.next() == 2, let service = own.value {
                // While the second attempt is under way, another call renews the token again.
                _ = await service.response(to: TestRequest(Text.self) { $0.path = "/forbidden" })
            }
            return sent == "Bearer 3" ? .text("ok") : .text("", statusCode: 401)
        }
        let service = APIService(
            client: client,
            config: testSettings {
                $0.accessories = [APITokenAccessory(user: { "ann" }, token: { "\(token.value)" })]
                $0.tokenRefresh = APITokenRefresh { _ in
                    ""
                } store: { _, _ in
                    _ = token.next()
                }
            })
        own.update { $0 = service }
        #expect(await service.response(to: TestRequest(Text.self)).result.value == Text("ok"))
    }

    // MARK: Requests

    static let badMethods = ["", "GET /x", "GET /a HTTP/1.1\r\nHost: a\r\n\r\nGET", "GÉT", "G\tT", "G(T"]

    @Test("A method that is not a token is an error, and nothing is sent", arguments: badMethods)
    func method(name: String) async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200) }
        let plain = TestRequest(Text.self) {
            $0.baseURL = server.url("")
            $0.method = APIRequestMethod(rawValue: name)
        }
        var changed = TestRequest(Text.self) { $0.baseURL = server.url("") }
        changed.onRequest = { request in
            var request = request
            request.httpMethod = name
            return request
        }
        for request in [plain, changed] where request.method.rawValue == name || !name.isEmpty {
            var errors: [APIError?] = [await service.response(to: request).result.error]
            var download = request
            download.taskType = .download(APIDownload(to: file))
            errors.append(await service.response(to: download).result.error)
            do {
                for try await _ in service.events(of: request) {}
                errors.append(nil)
            } catch {
                errors.append(error as? APIError)
            }
            for error in errors {
                guard case .requestError = error else {
                    Issue.record("\(error as Any)")
                    continue
                }
            }
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "A header field that an accessory sets to text with a line break is an error, and nothing is sent",
        arguments: ["X-A", "X\r\nB: c"])
    func field(name: String) async throws {
        struct Accessory: APIAccessory {
            let name: String
            func adapt(_ request: URLRequest) -> URLRequest {
                var request = request
                request.allHTTPHeaderFields = [name: name == "X-A" ? "a\r\nX-B: c" : "a"]
                return request
            }
        }
        let server = try LoopbackServer { _, connection in connection.answer(200) }
        service.config.update { $0.accessories = [Accessory(name: name)] }
        let request = TestRequest(Text.self) { $0.baseURL = server.url("") }
        await #expect(throws: APIError.self) { for try await _ in service.events(of: request) {} }
        #expect(await service.response(to: request).result.error != nil)
        #expect(server.requests.allSatisfy { $0.fields["x-b"] == nil && $0.fields["b"] == nil })
    }

    @Test("A method that an accessory sets to text with a space is an error, and nothing is sent")
    func accessoryMethod() async throws {
        struct Accessory: APIAccessory {
            func adapt(_ request: URLRequest) -> URLRequest {
                var request = request
                request.httpMethod = "GET /admin"
                return request
            }
        }
        let client = StubAPIClient { _ in .text("ok") }
        let service = APIService(client: client, config: testSettings { $0.accessories = [Accessory()] })
        guard
            case .requestError(.invalidMethod) = await service.response(to: TestRequest(Text.self)).result
                .error
        else {
            Issue.record("The method was sent.")
            return
        }
        #expect(client.requests.isEmpty)
    }

    @Test(
        "A path with a dot segment is an error, because it would leave its base",
        arguments: [
            ("/account", "/.."), ("/account", "/../admin"), ("/account", "a/./b"), ("/account", "."),
            ("/account", "a/.."), ("/account/..", "/a"), ("/account/%2e%2E", "/a"), ("/account/.%2e/b", ""),
        ])
    func dotSegment(base: String, path: String) async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200) }
        let response = await service.response(
            to: TestRequest(Text.self) {
                $0.baseURL = server.url(base)
                $0.path = path
            })
        guard case .requestError(.invalidURL) = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(server.requests.isEmpty)
    }

    @Test(
        "A path is plain text, so one that is already encoded is encoded again",
        arguments: [
            ("/a b", "/account/a%20b"), ("/a%20b", "/account/a%2520b"), ("/%2e%2e", "/account/%252e%252e"),
            ("/..a/b..", "/account/..a/b.."), ("/...", "/account/..."), ("/.a", "/account/.a"),
        ])
    func encodedPath(path: String, target: String) async throws {
        let server = try LoopbackServer { _, connection in connection.answer(200) }
        _ = await service.response(
            to: TestRequest(Text.self) {
                $0.baseURL = server.url("/account")
                $0.path = path
            })
        #expect(server.requests.map(\.target) == [target])
    }
}
