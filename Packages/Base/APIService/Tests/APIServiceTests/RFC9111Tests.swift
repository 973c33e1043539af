import APICache
import APIService
import APIServiceTesting
import APITransport
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The requirements of RFC 9111 for a private cache, one row each, tested against a real server.
@Suite("The requirements of RFC 9111", .waitLimit)
struct RFC9111Tests {
    /// The first request gets the response `stored`. The second request follows ``seconds`` later.
    struct Row: Sendable, CustomTestStringConvertible {
        let section: String
        /// The header fields of the first response.
        var stored: [String: String] = [:]
        /// The request's own expiry; by default the server's freshness applies.
        var expiry = APICacheExpiry.server
        /// The header fields of both requests.
        var asked: [String: String] = [:]
        var seconds: TimeInterval = 0
        /// The status and the header fields of the second response.
        var then = (status: 200, fields: [String: String]())
        var method = APIRequestMethod.get
        var path = "/a?x=1&y=2"
        var staleIfError: Duration?
        /// "1" for the stored body, "2" for a new one, or the error's status; then the source.
        let expected: String
        var testDescription: String { section }
    }

    static let rows: [Row] = [
        Row(section: "3: no-store", stored: ["Cache-Control": "max-age=60, no-store"], expected: "2 network"),
        Row(
            section: "3: no-store wins over the request's own expiry", stored: ["Cache-Control": "no-store"],
            expiry: .never, expected: "2 network"),
        Row(
            section: "3: Vary: *", stored: ["Cache-Control": "max-age=60", "Vary": "*"], expected: "2 network"
        ),
        Row(
            section: "4: the methods of both requests must match",
            stored: ["Cache-Control": "max-age=60"],
            method: .head, expected: " network"),
        Row(
            section: "2: the key is the whole target URI", stored: ["Cache-Control": "max-age=60"],
            path: "/a?y=2&x=1", expected: "2 network"),
        Row(
            section: "4.2: max-age makes a response fresh", stored: ["Cache-Control": "max-age=60"],
            seconds: 59,
            expected: "1 cache"),
        Row(
            section: "4.2: a response is stale at max-age", stored: ["Cache-Control": "max-age=60"],
            seconds: 60,
            expected: "2 network"),
        Row(
            section: "1.2.2: a number that is too large is 2^31",
            stored: ["Cache-Control": "max-age=99999999999999999999"], seconds: 2_147_483_647,
            expected: "1 cache"),
        Row(
            section: "1.2.2: a number that is too large is not infinite",
            stored: ["Cache-Control": "max-age=99999999999999999999"], seconds: 2_147_483_648,
            expected: "2 network"),
        Row(
            section: "5.2: the argument of a directive may be quoted",
            stored: ["Cache-Control": "max-age=\"60\""], seconds: 59, expected: "1 cache"),
        Row(
            section: "4.2.1: max-age wins over Expires",
            stored: ["Cache-Control": "max-age=60", "Expires": "Thu, 01 Jan 1970 00:00:00 GMT"], seconds: 30,
            expected: "1 cache"),
        Row(
            section: "4.2.1: the freshness lifetime is Expires minus Date",
            stored: [
                "Date": "Mon, 12 Jan 1970 13:46:40 GMT", "Expires": "Monday, 12-Jan-70 13:47:40 GMT",
            ], seconds: 59, expected: "1 cache"),
        Row(
            section: "4.2.1: without Date, the freshness lifetime begins when the response arrives",
            stored: ["Expires": "Mon, 12 Jan 1970 13:47:40 GMT"], seconds: 59, expected: "1 cache"),
        Row(
            section: "4.2.1: without Date, the freshness lifetime ends at Expires",
            stored: ["Expires": "Mon, 12 Jan 1970 13:47:40 GMT"], seconds: 60, expected: "2 network"),
        Row(
            section: "4.2.1: of several values, the most restrictive is used",
            stored: ["Cache-Control": "max-age=60, max-age=10"], seconds: 30, expected: "2 network"),
        Row(
            section: "4.2.1: an invalid max-age makes a response stale",
            stored: ["Cache-Control": "max-age=soon"],
            expected: "2 network"),
        Row(
            section: "5.3: an invalid Expires counts as a time in the past", stored: ["Expires": "0"],
            expected: "2 network"),
        Row(
            section: "4.2.3: the age includes the Age field",
            stored: ["Cache-Control": "max-age=60", "Age": "50"], seconds: 10, expected: "2 network"),
        Row(
            section: "4.2.3: an Age that is not a number is ignored",
            stored: ["Cache-Control": "max-age=60", "Age": "inf"], seconds: 10, expected: "1 cache"),
        Row(
            section: "4.2.3: the age includes the time since Date",
            stored: ["Cache-Control": "max-age=60", "Date": "Mon, 12 Jan 1970 13:45:50 GMT"], seconds: 10,
            expected: "2 network"),
        Row(section: "4.2.2: a response without freshness information is stale", expected: "2 network"),
        Row(
            section: "4.2: the request's own expiry overrides the server's freshness",
            stored: ["Cache-Control": "max-age=1"], expiry: .seconds(60), seconds: 59, expected: "1 cache"),
        Row(
            section: "5.2.2.2: must-revalidate wins over the request's own expiry",
            stored: ["Cache-Control": "max-age=1, must-revalidate"], expiry: .seconds(60), seconds: 2,
            expected: "2 network"),
        Row(
            section: "5.2.2.2: must-revalidate wins over a request that accepts a response forever",
            stored: ["Cache-Control": "max-age=1, must-revalidate"], expiry: .never, seconds: 2,
            expected: "2 network"),
        Row(
            section: "5.2.2.2: a request may shorten the lifetime of a must-revalidate response",
            stored: ["Cache-Control": "max-age=60, must-revalidate"], expiry: .seconds(1), seconds: 2,
            expected: "2 network"),
        Row(
            section: "5.2.2.4: a no-cache response is never served stale after an error",
            stored: ["Cache-Control": "no-cache"], then: (503, [:]), staleIfError: .seconds(60),
            expected: "503"),
        Row(
            section: "4.2.4: a must-revalidate response is never served stale after an error",
            stored: ["Cache-Control": "max-age=1, must-revalidate"], seconds: 2, then: (503, [:]),
            staleIfError: .seconds(60), expected: "503"),
        Row(
            section: "4.2.4: stale-if-error allows a stale response",
            stored: ["Cache-Control": "max-age=1, stale-if-error=60"], seconds: 2, then: (503, [:]),
            expected: "1 stale"),
        Row(
            section: "5.2.2.4: a no-cache response is validated",
            stored: ["Cache-Control": "no-cache, max-age=60"], expected: "2 network"),
        Row(
            section: "5.2.2.4: a no-cache response is validated despite the request's own expiry",
            stored: ["Cache-Control": "No-Cache=\"x, y\", max-age=60"], expiry: .never, expected: "2 network"),
        Row(
            section: "5.2.2.4: a validated no-cache response is used",
            stored: ["Cache-Control": "no-cache", "ETag": "\"a\""], then: (304, ["ETag": "\"a\""]),
            expected: "1 validated"),
        Row(
            section: "4.3.4: a 304 with the weak form of the ETag refers to the response",
            stored: ["Cache-Control": "no-cache", "ETag": "\"a\""], then: (304, ["ETag": "W/\"a\""]),
            expected: "1 validated"),
        Row(
            section: "4.3.4: a weak ETag is compared, too",
            stored: ["Cache-Control": "no-cache", "ETag": "W/\"a\""], then: (304, ["ETag": "W/\"b\""]),
            expected: "3 network"),
        Row(
            section: "4.3.4: a 304 that refers to another response is not used",
            stored: ["Cache-Control": "no-cache", "ETag": "\"a\""], then: (304, ["ETag": "\"b\""]),
            expected: "3 network"),
        Row(
            section: "4.3.3: a new response replaces the stored one",
            stored: ["Cache-Control": "max-age=1", "ETag": "\"a\""], seconds: 2, expected: "2 network"),
        Row(
            section: "5.2.1.4: the request's no-cache", stored: ["Cache-Control": "max-age=60"],
            asked: ["Cache-Control": "no-cache"], expected: "2 network"),
        Row(
            section: "5.2.1.5: the request's no-store", stored: ["Cache-Control": "max-age=60"],
            asked: ["Cache-Control": "no-store"], expected: "2 network"),
        Row(
            section: "5.2.1.1: the request's max-age", stored: ["Cache-Control": "max-age=60"],
            asked: ["Cache-Control": "max-age=5"], seconds: 6, expected: "2 network"),
        Row(
            section: "5.2.1.1: the request's max-age is reached", stored: ["Cache-Control": "max-age=60"],
            asked: ["Cache-Control": "max-age=5"], seconds: 5, expected: "1 cache"),
        Row(
            section: "5.2.1.3: the response is fresh for the request's min-fresh",
            stored: ["Cache-Control": "max-age=60"], asked: ["Cache-Control": "min-fresh=20"], seconds: 40,
            expected: "1 cache"),
        Row(
            section: "5.2.1.3: a response that never expires is fresh for any min-fresh", expiry: .never,
            asked: ["Cache-Control": "min-fresh=20"], seconds: 100, expected: "1 cache"),
        Row(
            section: "5.2.1.3: the request's min-fresh", stored: ["Cache-Control": "max-age=60"],
            asked: ["Cache-Control": "min-fresh=20"], seconds: 41, expected: "2 network"),
    ]

    private let date = Recorded(Date(timeIntervalSince1970: 1_000_000))

    private func service() -> APIService {
        APIService(
            client: URLSessionAPIClient(),
            config: testSettings { [date] in
                $0.cacheTool = CacheTool.inMemory()
                $0.now = { date.value }
            })
    }

    private static func text(_ response: APIResponse<Text>) -> String {
        switch response.result {
        case .success(let text): "\(text.text) \(response.source)"
        case .failure(.responseError(.unacceptableStatus(let failure))): "\(failure.statusCode)"
        case .failure(let error): "\(error)"
        }
    }

    @Test("The cache meets each requirement of RFC 9111", arguments: rows)
    func row(row: Row) async throws {
        let server = try LoopbackServer { [count = Recorded(0)] request, connection in
            switch count.next() {
            case 1: return connection.answer(200, row.stored, Data("1".utf8))
            case 2:
                let hasBody = row.then.status != 304 && row.method != .head
                return connection.answer(
                    row.then.status, row.then.fields, hasBody ? Data("2".utf8) : Data())
            default: return connection.answer(200, [:], Data("3".utf8))
            }
        }
        let service = service()
        var request = TestRequest(Text.self) {
            $0.baseURL = server.url("/a?x=1&y=2")
            $0.path = ""
            $0.headers = APIRequestHeaders(row.asked)
            var cache = APICache()
            (cache.readMode, cache.writeMode, cache.expiry) = (.cancelNetwork, .memory, row.expiry)
            cache.staleIfError = row.staleIfError
            $0.cache = cache
        }
        #expect(Self.text(await service.response(to: request)) == "1 network")
        date.update { $0 += row.seconds }
        request.baseURL = server.url(row.path)
        request.method = row.method
        #expect(Self.text(await service.response(to: request)) == row.expected)
    }

    @Test(
        "4.4: A successful unsafe request invalidates the responses for its URL, and a failed one does not",
        arguments: [
            (APIRequestMethod.post, 201), (.put, 204), (.delete, 200), (.patch, 303), (.post, 400),
            (.post, 500),
        ])
    func invalidation(method: APIRequestMethod, status: Int) async throws {
        let server = try LoopbackServer { [count = Recorded(0)] request, connection in
            request.method == "GET"
                ? connection.answer(
                    200, ["Cache-Control": "max-age=60"], Data("\(count.next())".utf8))
                : connection.answer(status)
        }
        let folder = try TemporaryFolder()
        let tool = CacheTool(folder: folder.url)
        let service = APIService(client: URLSessionAPIClient(), config: testSettings { $0.cacheTool = tool })
        let get = TestRequest(Text.self) {
            $0.baseURL = server.url("/thing?id=1")
            $0.path = ""
            $0.cache = .cached()
        }
        var (other, unsafe) = (get, get)
        other.baseURL = server.url("/thing?id=2")
        (unsafe.method, unsafe.cache) = (method, nil)
        unsafe.acceptableStatusCodes = Set(200..<600)
        #expect(Self.text(await service.response(to: get)) == "1 network")
        #expect(Self.text(await service.response(to: other)) == "2 network")
        await tool.flush()
        _ = await service.response(to: unsafe)
        let isInvalid = status < 400
        #expect(Self.text(await service.response(to: get)) == (isInvalid ? "3 network" : "1 cache"))
        #expect(Self.text(await service.response(to: other)) == "2 cache")
    }

    @Test("4.2.3: A cached response has an Age field, which includes the time that the server took")
    func age() async throws {
        let server = try LoopbackServer { [date] _, connection in
            date.update { $0 += 3 }
            return connection.answer(200, ["Cache-Control": "max-age=60", "Age": "5"], Data("1".utf8))
        }
        let service = service()
        let request = TestRequest(Text.self) {
            $0.baseURL = server.url("")
            $0.cache = .cached()
        }
        _ = await service.response(to: request)
        date.update { $0 += 20 }
        let hit = await service.response(to: request)
        #expect(hit.source == .cache)
        #expect(hit.response?.value(forHTTPHeaderField: "Age") == "28")
    }

    @Test("4.4: An unsafe request that is redirected invalidates the responses for the last URL too")
    func redirectedInvalidation() async throws {
        let server = try LoopbackServer { [count = Recorded(0)] request, connection in
            switch (request.method, request.path) {
            case ("GET", _):
                connection.answer(200, ["Cache-Control": "max-age=60"], Data("\(count.next())".utf8))
            case (_, "/old"): connection.answer(307, ["Location": "/thing"])
            default: connection.answer(200)
            }
        }
        let service = service()
        let get = TestRequest(Text.self) {
            $0.baseURL = server.url("/thing")
            $0.path = ""
            $0.cache = .cached(in: .memory)
        }
        let unsafe = TestRequest(Text.self) {
            ($0.baseURL, $0.path, $0.method) = (server.url(""), "/old", .put)
        }
        #expect(Self.text(await service.response(to: get)) == "1 network")
        #expect(await service.response(to: unsafe).response?.statusCode == 200)
        #expect(Self.text(await service.response(to: get)) == "2 network")
    }

    @Test(
        "Cache files contain no token, cookie, password or query, and only the current user can read them, even in a folder that was open to others",
        arguments: [false, true])
    func secrets(isFolderOpen: Bool) async throws {
        let server = try LoopbackServer { request, connection in
            connection.answer(
                200,
                [
                    "Vary": "Authorization, Cookie, X-Api-Key", "Set-Cookie": "id=secret-set",
                    "Cache-Control": "max-age=60",
                ], Data((request.fields["authorization"] ?? "").utf8.count.description.utf8))
        }
        let folder = try TemporaryFolder()
        let root = folder.url.appendingPathComponent("cache")
        if isFolderOpen {
            try FileManager.default.createDirectory(
                at: root, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        }
        let tool = CacheTool(folder: root)
        let service = APIService(
            client: URLSessionAPIClient(),
            config: testSettings {
                $0.cacheTool = tool
                $0.accessories = [APIHeaderAccessory(["X-Api-Key": "secret-key"])]
            })
        var parts = try #require(URLComponents(url: server.url("/a"), resolvingAgainstBaseURL: true))
        (parts.user, parts.password) = ("ann", "secret-password")
        parts.query = "key=secret-query"
        let base = try #require(parts.url)
        let request = TestRequest(Text.self) {
            $0.baseURL = base
            $0.headers = ["Authorization": "Bearer secret-token", "Cookie": "id=secret-cookie"]
            $0.cache = .cached(in: .disk)
        }
        _ = try await service.sendRequest(request)
        await tool.flush()
        #expect(!folder.files.isEmpty)
        for file in folder.files {
            #expect(!String(decoding: try Data(contentsOf: file), as: UTF8.self).contains("secret"))
            #expect(try mode(file) == 0o600)
            #expect(try mode(file.deletingLastPathComponent()) == 0o700)
        }
        #expect(try mode(root) == 0o700)
    }

    @Test("A response from disk has the URL of its request, although its file has no query")
    func queryOfDiskHit() async throws {
        let folder = try TemporaryFolder()
        let server = try LoopbackServer { _, connection in
            connection.answer(200, ["Cache-Control": "max-age=60"])
        }
        let request = TestRequest(Text.self) {
            ($0.baseURL, $0.path, $0.parameters) = (server.url(""), "/a", ["key": "secret"])
            $0.cache = .cached(in: .disk)
        }
        let service = service()
        let tool = CacheTool(folder: folder.url)
        service.config.update { $0.cacheTool = tool }
        _ = await service.response(to: request)
        await tool.flush()
        let hit = await service.response(to: request)
        #expect(hit.source == .cache && hit.response?.url == server.url("/a?key=secret"))
        #expect(server.requests.count == 1)
    }

    private func mode(_ file: URL) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }
}
