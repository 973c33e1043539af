import APIEvents
import APIService
import APIServiceTesting
import APITransfers
import APITransport
import AsyncHTTPAPIClient
import Foundation
import NIOCore
import NIOHTTP2
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Tests over HTTP/2 and TLS. The proxy accepts only HTTP/2, so each response proves that the client used HTTP/2.
@Suite("AsyncHTTPAPIClient over HTTP/2", .serialized, .waitLimit)
struct HTTP2Tests {
    private let folder: TemporaryFolder
    private let certificate: TestCertificate

    init() throws {
        folder = try TemporaryFolder()
        certificate = try TestCertificate(in: folder)
    }

    private struct Request: APIRequest {
        typealias Response = Data
        let baseURL: URL
        var path = "/echo"
        var taskType = APIRequestTaskType.request
        var method = APIRequestMethod.get
        var sent = ""

        func intercept(urlRequest: URLRequest) -> URLRequest {
            var urlRequest = urlRequest
            urlRequest.timeoutInterval = 600
            if !sent.isEmpty { urlRequest.httpBody = Data(sent.utf8) }
            return urlRequest
        }
    }

    /// A client that waits long enough for a connection, even on a slow machine.
    private func client() throws -> AsyncHTTPAPIClient {
        try AsyncHTTPAPIClient(trustedCertificates: certificate.file, connectTimeout: .seconds(600))
    }

    private func service(attempts: Int = 1) throws -> APIService {
        var settings = APISettings()
        settings.timeout = nil
        settings.retry = APIRetryPolicy(maximumAttempts: attempts, baseDelay: .milliseconds(1))
        return APIService(client: try client(), config: APIConfig(settings))
    }

    /// Sends a request with a service that does not retry.
    private func send(_ client: any APIClient, _ url: URL, _ method: String = "GET", body: String = "") async
        -> APIDataResponse
    {
        var settings = APISettings()
        settings.timeout = nil
        let response = await APIService(client: client, config: APIConfig(settings)).response(
            to: Request(baseURL: url, path: "", method: APIRequestMethod(rawValue: method), sent: body))
        let result: Result<Data, APITransportError> =
            switch response.result {
            case .success(let data): .success(data)
            case .failure(.cancelled): .failure(.cancelled)
            case .failure(let error): .failure(.broken(error))
            }
        return APIDataResponse(response: response.response, result: result)
    }

    /// Runs all checks. The proxy resets the stream if the server breaks the connection or sends invalid
    /// HTTP, and it truncates a body that is longer than its Content-Length.
    @Test(
        "AsyncHTTPAPIClient passes the client conformance checks over HTTP/2",
        arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(try client()) { [certificate] in try HTTP2Front.front(certificate, before: $0) }
    }

    @Test("A thousand concurrent requests use at most eight connections and stay within the stream limit")
    func thousand() async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(certificate, before: server, maximumStreams: 50) { front, url in
            let service = try service()
            let statuses = await withTaskGroup { group in
                for _ in 0..<1_000 {
                    group.addTask { await service.response(to: Request(baseURL: url)).response?.statusCode }
                }
                return await group.reduce(into: [Int?: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(statuses == [200: 1_000])
            #expect(front.count.streams == 1_000)
            #expect(front.count.connections <= 8, "\(front.count)")
        }
    }

    @Test("Cancelling a request resets only its stream, and its connection stays open for other requests")
    func cancel() async throws {
        let gone = AsyncStream<Void>.makeStream()
        let (going, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let server = try LoopbackServer { request, connection in
            switch request.path {
            case "/hang":
                going.signal()
                connection.waitForClose()
                gone.continuation.finish()
                return false
            case "/slow":
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
                going.signal()
                mayEnd.wait()
                return connection.send("half")
            default: return connection.answer(200)
            }
        }
        try await HTTP2Front.serve(certificate, before: server) { front, url in
            let client = try client()
            _ = await send(client, url.appending(path: "first"))
            async let slow = send(client, url.appending(path: "slow"))
            let hanging: APIDataResponse = await withCheckedContinuation { waiter in
                let task = client.createDataRequest(
                    request: URLRequest(url: url.appending(path: "hang")), progressHandler: nil
                ) { waiter.resume(returning: $0) }
                task.resume()
                Thread.detachNewThread {
                    for _ in 1...2 { going.wait() }
                    task.cancel()
                }
            }
            guard case .failure(.cancelled) = hanging.result else {
                Issue.record("\(hanging.result)")
                return
            }
            for await _ in gone.stream {}
            mayEnd.signal()
            #expect(try await slow.result.get() == Data("halfhalf".utf8))
            #expect(await send(client, url).response?.statusCode == 200)
            #expect(front.count.connections == 1)
        }
    }

    @Test("No request fails when the server sends GOAWAY at arbitrary times")
    func goAway() async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(
            certificate, before: server, turn: { $0 % 50 == 0 ? .last : .pass }
        ) { front, url in
            let service = try service()
            let results = await withTaskGroup { group in
                for _ in 0..<20 {
                    group.addTask {
                        var results: [String: Int] = [:]
                        for _ in 0..<20 {
                            let response = await service.response(to: Request(baseURL: url))
                            results[
                                response.response.map { "\($0.statusCode)" } ?? "\(response.result)",
                                default: 0] += 1
                        }
                        return results
                    }
                }
                return await group.reduce(into: [:]) { all, some in all.merge(some, uniquingKeysWith: +) }
            }
            #expect(results == ["200": 400])
            #expect(front.count.connections > 1)
        }
    }

    @Test(
        "A request that the server refuses unprocessed is retried at most twice, whatever its method and body",
        arguments: [("GET", 0), ("POST", 4), ("POST", 200_000)], [true, false])
    func notBegun(request: (method: String, length: Int), isReset: Bool) async throws {
        let body = String(repeating: "x", count: request.length)
        let server = try LoopbackServer.faulty()
        let turn = isReset ? HTTP2Front.Turn.reset(.refusedStream) : .over
        try await HTTP2Front.serve(certificate, before: server, turn: { $0 == 2 ? turn : .pass }) {
            front, url in
            let client = try client()
            _ = await send(client, url.appending(path: "echo"))
            let response = await send(client, url.appending(path: "echo"), request.method, body: body)
            let text = String(decoding: try response.result.get(), as: UTF8.self)
            #expect(text.hasPrefix("\(request.method) /echo") && text.hasSuffix("\n\n\(body)"))
            #expect(front.count.streams == 3)
            #expect(server.requests.count == 2)
        }
        try await HTTP2Front.serve(certificate, before: server, turn: { _ in turn }) { front, url in
            let response = await send(try client(), url, request.method, body: body)
            guard case .failure(.broken) = response.result else {
                Issue.record("\(response.result)")
                return
            }
            #expect(front.count.streams == 3)
        }
    }

    @Test(
        "A response may end before its request, whatever then happens to the stream (RFC 9113, 8.1)",
        arguments: [HTTP2ErrorCode.noError, .cancel])
    func early(code: HTTP2ErrorCode) async throws {
        let server = try LoopbackServer.faulty()
        let head = HTTP2Frame.FramePayload.headers(.init(headers: [":status": "200"], endStream: true))
        let early = HTTP2Front.Turn.frames([head, .rstStream(code)])
        try await HTTP2Front.serve(certificate, before: server, turn: { $0 == 1 ? early : .pass }) {
            _, url in
            let client = try client()
            let body = AsyncStream<Data> { $0.yield(Data("begun".utf8)) }
            let status = Recorded(0)
            let error: APITransportError? = await withCheckedContinuation { waiter in
                client.createStreamRequest(
                    request: {
                        var request = URLRequest(url: url)
                        request.httpMethod = "POST"
                        return request
                    }(), upload: .stream { body }, progressHandler: nil
                ) { event in
                    switch event {
                    case .head(let head): status.update { $0 = head.statusCode }
                    case .piece: break
                    case .end(let error): waiter.resume(returning: error)
                    }
                }.resume()
            }
            #expect(status.value == 200 && error == nil, "\(String(describing: error))")
            #expect(await send(client, url.appending(path: "echo")).response?.statusCode == 200)
        }
    }

    @Test(
        "A request is not retried if its stream is reset with any code but REFUSED_STREAM",
        arguments: [HTTP2ErrorCode.cancel, .internalError, .enhanceYourCalm, .http11Required])
    func reset(code: HTTP2ErrorCode) async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(certificate, before: server, turn: { $0 == 1 ? .reset(code) : .pass }) {
            front, url in
            let client = try client()
            guard case .failure(.broken) = await send(client, url).result else {
                Issue.record("the request did not fail")
                return
            }
            #expect(front.count.streams == 1)
            #expect(await send(client, url.appending(path: "echo")).response?.statusCode == 200)
            #expect(front.count.connections == 1)
        }
    }

    @Test(
        "Over HTTP/2, only an idempotent request without a body is retried if its connection closes",
        arguments: [("GET", "", true), ("DELETE", "", true), ("POST", "", false), ("PUT", "body", false)])
    func closedBeforeAnswer(method: String, body: String, isAgain: Bool) async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(certificate, before: server, turn: { _ in .drop }) { front, url in
            guard case .failure(.broken) = await send(try client(), url, method, body: body).result else {
                Issue.record("the request did not fail")
                return
            }
            // One of the attempts may have failed on the closed connection, without opening a stream.
            #expect((isAgain ? 2...3 : 1...1).contains(front.count.streams), "\(front.count)")
        }
    }

    @Test(
        "With a retry policy, no request fails when the server occasionally drops connections")
    func drop() async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(certificate, before: server, turn: { $0 % 7 == 0 ? .drop : .pass }) {
            front, url in
            let service = try service(attempts: 4)
            for _ in 0..<100 {
                let response = await service.response(to: Request(baseURL: url))
                #expect(response.response?.statusCode == 200, "\(response.result)")
            }
            #expect(front.count.connections > 10)
        }
    }

    @Test("A body that is missing, or shorter or longer than its content-length, is an error")
    func lengths() async throws {
        let server = try LoopbackServer.faulty()
        let answers: [[HTTP2Frame.FramePayload]] = ["half", "whole and more", ""].map { body in
            let head = HTTP2Frame.FramePayload.headers(
                .init(headers: [":status": "200", "content-length": "8"], endStream: body.isEmpty))
            let data = HTTP2Frame.FramePayload.data(
                .init(data: .byteBuffer(ByteBuffer(string: body)), endStream: true))
            return body.isEmpty ? [head] : [head, data]
        }
        try await HTTP2Front.serve(
            certificate, before: server, turn: { $0 <= 3 ? .frames(answers[$0 - 1]) : .pass }
        ) { front, url in
            let client = try client()
            for _ in answers {
                guard case .failure(.broken) = await send(client, url).result else {
                    Issue.record("the body was accepted")
                    continue
                }
            }
            #expect(await send(client, url.appending(path: "echo")).response?.statusCode == 200)
        }
    }

    @Test(
        "A response head of more than 16 KiB is an error, and later requests succeed",
        arguments: [(15, 200), (17, nil)])
    func longHead(kilobytes: Int, status: Int?) async throws {
        let server = try LoopbackServer { request, connection in
            let field = request.path == "/long" ? String(repeating: "x", count: kilobytes << 10) : "short"
            return connection.answer(200, ["X-Field": field])
        }
        try await HTTP2Front.serve(certificate, before: server) { front, url in
            let client = try client()
            #expect(await send(client, url.appending(path: "long")).response?.statusCode == status)
            #expect(await send(client, url).response?.statusCode == 200)
        }
    }

    @Test("Requests cancelled before they are sent do not permanently use up the connection's streams")
    func cancelledUnsent() async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(certificate, before: server, maximumStreams: 10) { front, url in
            let client = try client()
            _ = await send(client, url)
            // Fewer concurrent requests than streams, because this test is not about waiting in the pool.
            await withTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<100 {
                            let _: APIDataResponse = await withCheckedContinuation { waiter in
                                let task = client.createDataRequest(
                                    request: URLRequest(url: url), progressHandler: nil
                                ) { waiter.resume(returning: $0) }
                                task.resume()
                                Thread.detachNewThread { task.cancel() }
                            }
                        }
                    }
                }
            }
            let response = await send(client, url.appending(path: "echo"))
            #expect(response.response?.statusCode == 200, "\(response.result)")
        }
    }

    @Test("Late responses to many cancelled requests do not disturb other requests on the connection")
    func answersToTheCancelled() async throws {
        let came = AsyncStream<Void>.makeStream()
        let mayAnswer = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request, connection in
            came.continuation.yield()
            mayAnswer.wait()
            mayAnswer.signal()
            return connection.answer(200, [:], Data("late".utf8))
        }
        try await HTTP2Front.serve(certificate, before: server) { front, url in
            let (cancelled, going) = (60, 20)
            let (ended, end) = AsyncStream<APIDataResponse>.makeStream()
            let tasks = try start(cancelled + going, url) { end.yield($0) }
            for await _ in came.stream.prefix(tasks.count) {}
            try await front.shut()
            for task in tasks.prefix(cancelled) { task.cancel() }
            for await response in ended.prefix(cancelled) {
                guard case .failure(.cancelled) = response.result else {
                    Issue.record("\(response.result)")
                    continue
                }
            }
            mayAnswer.signal()
            for await response in ended.prefix(going) {
                #expect(try response.result.get() == Data("late".utf8))
            }
            try await front.open()
            #expect(front.count.connections == 1)
        }
    }

    @Test("The stream of every cancelled request is reset, even if a hundred requests are cancelled together")
    func manyCancelsAtOnce() async throws {
        let (came, gone) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let server = try LoopbackServer { request, connection in
            came.continuation.yield()
            connection.waitForClose()
            gone.continuation.yield()
            return false
        }
        try await HTTP2Front.serve(certificate, before: server) { front, url in
            let tasks = try start(100, url) { _ in }
            for await _ in came.stream.prefix(tasks.count) {}
            for task in tasks { task.cancel() }
            for await _ in gone.stream.prefix(tasks.count) {}
            #expect(front.count.connections == 1)
        }
    }

    /// Starts `count` requests with a new client.
    private func start(
        _ count: Int, _ url: URL, _ completion: @escaping @Sendable (APIDataResponse) -> Void
    ) throws -> [any APIRequestTask] {
        let client = try client()
        let tasks = (0..<count).map { _ in
            client.createDataRequest(
                request: URLRequest(url: url, timeoutInterval: 600), progressHandler: nil,
                completionHandler: completion)
        }
        for task in tasks { task.resume() }
        return tasks
    }

    @Test("When the server closes a connection after too many resets, the other requests on it are retried")
    func manyCancels() async throws {
        let server = try LoopbackServer.faulty()
        // The proxy accepts at most 200 resets within 30 seconds.
        try await HTTP2Front.serve(certificate, before: server) { front, url in
            let client = try client()
            await withTaskGroup { group in
                for _ in 0..<10 {
                    group.addTask {
                        for _ in 0..<30 { await sendAndCancel(client, url.appending(path: "hang-body")) }
                    }
                    group.addTask {
                        for _ in 0..<30 {
                            let response = await send(client, url.appending(path: "echo"))
                            #expect(response.response?.statusCode == 200, "\(response.result)")
                        }
                    }
                }
            }
            #expect(front.count.connections > 1)
        }
    }

    /// Sends a request, and cancels it when the response head arrives.
    private func sendAndCancel(_ client: AsyncHTTPAPIClient, _ url: URL) async {
        let task = Recorded<(any APIRequestTask)?>(nil)
        let _: Bool = await withCheckedContinuation { waiter in
            let created = client.createStreamRequest(
                request: URLRequest(url: url), upload: nil, progressHandler: nil
            ) { event in
                switch event {
                case .head: task.value?.cancel()
                case .piece: break
                case .end: waiter.resume(returning: true)
                }
            }
            task.update { $0 = created }
            created.resume()
        }
    }

    @Test("A response with a slow handler waits at the server and blocks no other request on the connection")
    func backPressure() async throws {
        let sent = Recorded(0)
        let server = try LoopbackServer { request, connection in
            guard request.path == "/big" else { return connection.answer(200) }
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: \(64 << 20)\r\n\r\n")
            for _ in 0..<64 {
                guard connection.send(Data(count: 1 << 20)) else { return false }
                sent.update { $0 += 1 }
            }
            return true
        }
        try await HTTP2Front.serve(certificate, before: server) { front, url in
            let client = try client()
            _ = await send(client, url)
            let received = Recorded(0)
            let mayGoOn = DispatchSemaphore(value: 0)
            let heldUpNoOther = Recorded(false)
            let busy = AsyncStream<Void>.makeStream()
            async let end: APITransportError? = withCheckedContinuation { waiter in
                client.createStreamRequest(
                    request: URLRequest(url: url.appending(path: "big")), upload: nil, progressHandler: nil
                ) { event in
                    switch event {
                    case .head:
                        busy.continuation.finish()
                        // This wait times out only if the slow handler blocks the other requests.
                        let result = mayGoOn.wait(timeout: .now() + 300)
                        heldUpNoOther.update { $0 = result == .success }
                    case .piece(let piece): received.update { $0 += piece.count }
                    case .end(let error): waiter.resume(returning: error)
                    }
                }.resume()
            }
            for await _ in busy.stream {}
            for _ in 0..<100 {
                let response = await send(client, url)
                #expect(response.response?.statusCode == 200, "\(response.result)")
            }
            // async-http-client lets the server send 8 MiB ahead. The rest of the bound allows for buffers in the proxy
            // and the sockets.
            #expect(sent.value < 40)
            #expect(front.count.connections == 1)
            mayGoOn.signal()
            #expect(await end == nil)
            #expect(heldUpNoOther.value)
            #expect(received.value == 64 << 20)
        }
    }

    @Test("Server-sent events over HTTP/2 arrive when they are sent, not when the response ends")
    func events() async throws {
        let taken = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            taken.wait()
            return connection.sendLast("data: 2\n\n")
        }
        try await HTTP2Front.serve(certificate, before: server) { front, url in
            var data: [String] = []
            let source = APIEventSource(maximumReconnections: 0)
            for try await event in try service().events(of: Request(baseURL: url), source: source) {
                data.append(event.data)
                taken.signal()
            }
            #expect(data == ["1", "2"])
        }
    }

    @Test("An interrupted download over HTTP/2 resumes where it stopped")
    func resume() async throws {
        let server = try LoopbackServer { request, connection in
            let content = LoopbackServer.fileContent
            guard request.fields["range"] == nil else {
                return connection.answer(
                    206, ["ETag": "\"v1\"", "Content-Range": "bytes 100-999/1000"], content[100...])
            }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 1000\r\n\r\n")
            return connection.sendLast(content.prefix(100))
        }
        try await HTTP2Front.serve(certificate, before: server) { front, url in
            let file = folder.file("whole")
            let download = APIDownload(to: file, partial: folder.file("part"))
            let response = try await service(attempts: 2).response(
                to: Request(baseURL: url, taskType: .download(download)))
            #expect(response.result.error == nil)
            #expect(try Data(contentsOf: file) == LoopbackServer.fileContent)
            #expect(server.requests.map { $0.fields["range"] } == [nil, "bytes=100-"])
        }
    }
}
