import APIService
import APIServiceTesting
import AsyncHTTPAPIClient
import Foundation
import NIOCore
import NIOHTTP2
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Over HTTP/2, which is what most servers speak over TLS. The front speaks nothing else, so an answer shows that
/// HTTP/2 was spoken.
@Suite("Over HTTP/2", .serialized)
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

        func intercept(urlRequest: URLRequest) -> URLRequest {
            var urlRequest = urlRequest
            urlRequest.timeoutInterval = 600
            return urlRequest
        }
    }

    /// However slow this machine is, a place on a connection is waited for.
    private func client() throws -> AsyncHTTPAPIClient {
        try AsyncHTTPAPIClient(trustedCertificates: certificate.file, connectTimeout: .seconds(600))
    }

    private func service(attempts: Int = 1) throws -> APIService {
        var settings = APISettings()
        settings.timeout = nil
        settings.retry = APIRetryPolicy(maximumAttempts: attempts, baseDelay: .milliseconds(1))
        return APIService(client: try client(), config: APIConfig(settings))
    }

    /// Sends by the client alone, with a body if there is one.
    private func send(_ client: any APIClient, _ url: URL, _ method: String = "GET", body: String = "") async
        -> APIDataResponse
    {
        var request = URLRequest(url: url)
        request.httpMethod = method
        if !body.isEmpty { request.httpBody = Data(body.utf8) }
        let sent = request
        return await withCheckedContinuation { waiter in
            client.createDataRequest(request: sent, progressHandler: nil) { waiter.resume(returning: $0) }
                .resume()
        }
    }

    /// All of them: the front resets the stream where over HTTP/1.1 the connection breaks, or no HTTP comes, and takes
    /// what is longer than its length for what it is not.
    @Test("conforms to the contract of a client over HTTP/2", arguments: APIClientConformance.checks)
    func conforms(check: APIClientConformance.Check) async throws {
        try await check.run(try client()) { [certificate] in try HTTP2Front.front(certificate, before: $0) }
    }

    @Test("a thousand at once share connections within the bound, and no more streams than the server takes")
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

    @Test("cancelling resets the stream alone: what shares its connection goes on, and the connection stays")
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

    @Test("a server may say at any time that it takes no more streams on a connection: no send fails of it")
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
        "what the server says it has not begun is sent again, twice at most, whatever its method and body",
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
        "a stream that is reset otherwise is broken, and not sent again: the server may have begun it",
        arguments: [HTTP2ErrorCode.cancel, .internalError, .enhanceYourCalm, .http11Required])
    func reset(code: HTTP2ErrorCode) async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(certificate, before: server, turn: { $0 == 1 ? .reset(code) : .pass }) {
            front, url in
            let client = try client()
            guard case .failure(.broken) = await send(client, url).result else {
                Issue.record("it is not broken")
                return
            }
            #expect(front.count.streams == 1)
            #expect(await send(client, url.appending(path: "echo")).response?.statusCode == 200)
            #expect(front.count.connections == 1)
        }
    }

    @Test(
        "a connection closed before any answer is tried again twice at most, for idempotent methods without a body",
        arguments: [("GET", "", true), ("DELETE", "", true), ("POST", "", false), ("PUT", "body", false)])
    func closedBeforeAnswer(method: String, body: String, isAgain: Bool) async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(certificate, before: server, turn: { _ in .drop }) { front, url in
            guard case .failure(.broken) = await send(try client(), url, method, body: body).result else {
                Issue.record("it is not broken")
                return
            }
            // One attempt may have met the connection that had gone.
            #expect((isAgain ? 2...3 : 1...1).contains(front.count.streams), "\(front.count)")
        }
    }

    @Test(
        "a server may drop connections now and then, without a word: with a retry policy no send fails of it")
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

    @Test("a body that ends before its length, or goes beyond it, is an error; so is one that is not there")
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
                    Issue.record("it is whole")
                    continue
                }
            }
            #expect(await send(client, url.appending(path: "echo")).response?.statusCode == 200)
        }
    }

    @Test(
        "a head of more than 16 kB is an error, and a client goes on after it",
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

    @Test("what is cancelled before it was sent takes none of a connection's streams away for good")
    func cancelledUnsent() async throws {
        let server = try LoopbackServer.faulty()
        try await HTTP2Front.serve(certificate, before: server, maximumStreams: 10) { front, url in
            let client = try client()
            _ = await send(client, url)
            // No more at once than there are streams: what waits in the pool for one is not what is tested.
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

    @Test("many may be cancelled at once: answers that were on their way already harm nothing that goes on")
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

    @Test("a server is told of each that was cancelled, however many are at once")
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

    /// Starts so many by a client of its own.
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

    @Test("a server may close a connection on which too much was cancelled: what shares it is sent again")
    func manyCancels() async throws {
        let server = try LoopbackServer.faulty()
        // The front takes 200 resets in half a minute.
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

    /// Sends, and cancels when the head has come.
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

    @Test("an exchange whose handler is slow waits at the server, and holds up no other on its connection")
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
                        // Only where it holds up the others does it wait so long.
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
            // What async-http-client lets the server send ahead, 8 MiB, and what lies between.
            #expect(sent.value < 40)
            #expect(front.count.connections == 1)
            mayGoOn.signal()
            #expect(await end == nil)
            #expect(heldUpNoOther.value)
            #expect(received.value == 64 << 20)
        }
    }

    @Test("events come as they are sent, not when the answer ends")
    func events() async throws {
        let taken = DispatchSemaphore(value: 0)
        let server = try LoopbackServer { request, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n")
            taken.wait()
            connection.send("data: 2\n\n")
            return false
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

    @Test("a download that breaks goes on from where it was")
    func resume() async throws {
        let server = try LoopbackServer { request, connection in
            let content = LoopbackServer.fileContent
            guard request.fields["range"] == nil else {
                return connection.answer(
                    206, ["ETag": "\"v1\"", "Content-Range": "bytes 100-999/1000"], content[100...])
            }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: 1000\r\n\r\n")
            connection.send(content.prefix(100))
            return false
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
