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

@Suite("Redirects of requests that accessories have adapted", .waitLimit)
struct AccessoryRedirectTests {
    /// Declares nothing. The value contains the request's method and path, and its number.
    private struct Signature: APIAccessory {
        let number = Recorded(0)
        var body: Data?

        func adapt(_ request: URLRequest) -> URLRequest {
            var request = request
            let value = "\(request.httpMethod ?? "") \(request.url?.path() ?? "") \(number.next())"
            request.setValue(value, forHTTPHeaderField: "X-Signature")
            if let body { request.httpBody = body }
            return request
        }
    }

    private static let streamHead =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"

    /// A server that redirects `/to/STATUS?TARGET` to TARGET and tells other requests what it has received.
    private static func server() throws -> LoopbackServer {
        try LoopbackServer { request, connection in
            if request.path.hasPrefix("/to/") {
                let parts = request.target.split(separator: "?", maxSplits: 1)
                return connection.answer(
                    Int(parts[0].dropFirst(4)) ?? 0, ["Location": parts.count > 1 ? String(parts[1]) : "/"])
            }
            let names = ["x-app", "x-key", "x-session", "x-signature"]
            let text = names.map { request.fields[$0] ?? "-" }.joined(separator: ", ")
            guard request.path != "/events" else {
                return connection.sendLast(streamHead + "data: \(text)\n\n")
            }
            return connection.answer(200, ["ETag": "\"1\""], Data("\(request.method) \(text)".utf8))
        }
    }

    private func service(
        _ accessories: [any APIAccessory], redirects: RedirectPolicy = RedirectPolicy()
    ) -> APIService {
        APIService(
            client: URLSessionAPIClient(redirects: redirects),
            config: testSettings { ($0.accessories, $0.timeout) = (accessories, nil) })
    }

    private func request(
        _ server: LoopbackServer, _ path: String, _ status: Int, to target: String,
        method: APIRequestMethod = .get
    ) -> TestRequest<Text> {
        TestRequest(Text.self) {
            ($0.baseURL, $0.path, $0.method) = (server.url(""), "\(path)\(status)", method)
            $0.onRequest = { request in
                var request = request
                request.url = request.url.flatMap { URL(string: "\($0)?\(target)") }
                return request
            }
            $0.acceptableStatusCodes = Set(200..<400)
        }
    }

    @Test(
        "Nothing that an accessory has added follows a redirect to another origin, except what is no credential",
        arguments: [
            (APIHeaderAccessory(["X-App": "app", "X-Key": "key"]), "-"),
            (APIHeaderAccessory(["X-App": "app", "X-Key": "key"], credentials: ["X-KEY"]), "app"),
        ])
    func otherOrigin(headers: APIHeaderAccessory, app: String) async throws {
        let (server, other) = (try Self.server(), try Self.server())
        let service = service([
            headers,
            APITokenAccessory(user: { "ann" }, header: "X-Session", scheme: "", token: { "token" }),
            Signature(),
        ])
        for status in [301, 302, 303, 307, 308] {
            let request = request(server, "/to/", status, to: "\(other.url("/echo"))")
            #expect(try await service.sendRequest(request) == Text("GET \(app), -, -, -"))
        }
        #expect(
            server.requests.allSatisfy { $0.fields["x-session"] == "token" && $0.fields["x-key"] == "key" })
        #expect(server.requests.allSatisfy { $0.fields["x-signature"]?.hasPrefix("GET /to/30") == true })
    }

    @Test(
        "A redirect to the same origin is signed anew, with the method and the path that the redirect leads to",
        arguments: [(301, "GET"), (303, "GET"), (307, "POST")])
    func sameOrigin(status: Int, method: String) async throws {
        let server = try Self.server()
        let service = service([Signature()])
        let request = request(
            server, "/to/", status, to: "/to/\(status)?/echo", method: .post)
        let response = await service.response(to: request)
        #expect(response.result.value == Text("\(method) -, -, -, \(method) /echo 3"))
        #expect(response.response?.url?.path() == "/echo" && response.request?.url?.path() == "/to/\(status)")
        #expect(
            server.requests.map { $0.fields["x-signature"]?.split(separator: " ").last } == ["1", "2", "3"])
    }

    @Test(
        "The limit of the client's redirect policy counts the redirects that are signed",
        arguments: [0, 1, 2])
    func limit(limit: Int) async throws {
        let server = try Self.server()
        let service = service([Signature()], redirects: RedirectPolicy(limit: limit))
        let response = await service.response(
            to: request(server, "/to/", 307, to: "/to/307?/to/307?/to/307?/echo"))
        #expect(response.response?.statusCode == 307)
        #expect(server.requests.count == limit + 1)
    }

    @Test("A redirect from another origin back to the same URL is not signed, nor is one that follows it")
    func backToSameURL() async throws {
        let (other, first) = (Recorded<LoopbackServer?>(nil), Recorded<URL?>(nil))
        let visits = Recorded(0)
        let server = try LoopbackServer { request, connection in
            guard request.path == "/to/302" else {
                return connection.answer(200, [:], Data((request.fields["x-signature"] ?? "-").utf8))
            }
            let away = other.value?.url("/").absoluteString ?? ""
            return connection.answer(302, ["Location": visits.next() == 1 ? away : "/echo"])
        }
        let redirecting = try LoopbackServer { _, connection in
            connection.answer(302, ["Location": first.value?.absoluteString ?? ""])
        }
        other.update { $0 = redirecting }
        first.update { $0 = server.url("/to/302?x") }
        let result = try await service([Signature()]).sendRequest(request(server, "/to/", 302, to: "x"))
        #expect(result == Text("-"))
        #expect(visits.value == 2)
    }

    @Test("A redirect from another origin back to the first one is not signed")
    func back() async throws {
        let (server, other) = (try Self.server(), try Self.server())
        let target = "\(other.url("/to/307"))?\(server.url("/to/307"))?/echo"
        let result = try await service([Signature()]).sendRequest(request(server, "/to/", 307, to: target))
        #expect(result == Text("GET -, -, -, -"))
    }

    @Test(
        "A 401 after a redirect to another origin and back refreshes no token, because the token was dropped",
        arguments: [true, false])
    func refusedBack(hasAccessory: Bool) async throws {
        let other = try Self.server()
        let server = try LoopbackServer { request, connection in
            guard request.path == "/to/307" else { return connection.answer(401) }
            return connection.answer(307, ["Location": String(request.target.dropFirst("/to/307?".count))])
        }
        let service = service(hasAccessory ? [APITokenAccessory(user: { "ann" }, token: { "token" })] : [])
        let refreshes = Recorded(0)
        service.config.update {
            $0.tokenRefresh = APITokenRefresh { _ in
                refreshes.update { $0 += 1 }
                return nil
            } store: { _, _ in
            }
        }
        for (target, count) in [("\(other.url("/to/307"))?\(server.url("/echo"))", 0), ("/echo", 1)] {
            var request = request(server, "/to/", 307, to: target)
            if !hasAccessory { request.headers = ["Authorization": "Bearer token"] }
            let response = await service.response(to: request)
            #expect(response.response?.statusCode == 401)
            #expect(refreshes.value == count)
            await #expect(throws: APIError.self) { for try await _ in service.events(of: request) {} }
            #expect(refreshes.value == 2 * count)
        }
    }

    @Test("A body that an accessory has changed does not follow a redirect to another origin")
    func body() async throws {
        let (server, other) = (try Self.server(), try Self.server())
        let service = service([Signature(body: Data("secret".utf8))])
        for (status, isFollowed) in [(307, false), (303, true)] {
            let request = request(server, "/to/", status, to: "\(other.url("/echo"))", method: .post)
            let response = await service.response(to: request)
            #expect(response.response?.statusCode == (isFollowed ? 200 : status))
        }
        #expect(other.requests.map(\.method) == ["GET"])
    }

    @Test("Streams and downloads obey the same rules", arguments: [true, false])
    func others(isSameOrigin: Bool) async throws {
        let (server, other) = (try Self.server(), try Self.server())
        let service = service([Signature()])
        let target = isSameOrigin ? server : other
        func signature(_ path: String, _ number: Int) -> String {
            isSameOrigin ? "-, -, -, GET \(path) \(number)" : "-, -, -, -"
        }
        let stream = request(server, "/to/", 307, to: "\(target.url("/events"))")
        var events: [String] = []
        for try await event in service.events(of: stream) { events.append(event.data) }
        #expect(events == [signature("/events", 2)])
        let folder = try TemporaryFolder()
        let number = isSameOrigin ? 4 : 0
        var download = request(server, "/to/", 307, to: "\(target.url("/echo"))")
        download.taskType = .download(APIDownload(to: folder.file("file"), partial: folder.file("part")))
        _ = try await service.sendRequest(download)
        #expect(
            try String(contentsOf: folder.file("file"), encoding: .utf8)
                == "GET \(signature("/echo", number))")
    }

    @Test("The body of an upload is not sent with the GET that follows a 303 (RFC 9110, 15.4.4)")
    func uploadThenGet() async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let file = folder.file("file")
        try Data("secret".utf8).write(to: file)
        for body in [APIUpload.data(Data("secret".utf8)), .file(file)] {
            var upload = request(server, "/to/", 303, to: "/echo", method: .post)
            upload.taskType = .upload(body)
            let text = try await service([Signature()]).sendRequest(upload)
            #expect(text.text.hasPrefix("GET -, -, -, GET /echo"))
        }
        let pages = server.requests.filter { $0.path == "/echo" }
        #expect(pages.count == 2 && pages.allSatisfy(\.body.isEmpty))
    }

    @Test("A body that is written in pieces is redirected by the same rules")
    func pieces() async throws {
        let (server, other) = (try Self.server(), try Self.server())
        let letters: @Sendable () -> AsyncStream<Data> = {
            AsyncStream { continuation in
                continuation.yield(Data("b".utf8))
                continuation.finish()
            }
        }
        var upload = request(server, "/to/", 307, to: "\(other.url("/echo"))", method: .post)
        upload.taskType = .upload(.stream { letters() })
        #expect(try await service([Signature()]).sendRequest(upload) == Text("POST -, -, -, -"))
    }
}
