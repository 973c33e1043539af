import APIEvents
import APIService
import APIServiceTesting
import APITransport
import AsyncHTTPAPIClient
import Foundation
import NIOCore
import NIOHTTP2
import NIOPosix
import TestSupport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("AsyncHTTPAPIClient with a hostile server", .serialized, .timeLimit(.minutes(10)), .waitLimit)
struct HostileServerTests {
    private struct Request: APIRequest {
        typealias Response = Data
        let baseURL: URL
        var path = ""
    }

    private func send(_ client: any APIClient, _ url: URL) async -> APIDataResponse {
        await withCheckedContinuation { waiter in
            client.createDataRequest(request: URLRequest(url: url), progressHandler: nil) {
                waiter.resume(returning: $0)
            }.resume()
        }
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test("None of 500 mutated responses ends the process")
    func mutated() async {
        await #expect(processExitsWith: .success) {
            try await MutatedResponses(seed: 36).send(to: AsyncHTTPAPIClient(), numbers: 0..<500) { _ in }
            exit(EXIT_SUCCESS)
        }
    }
    #endif

    @Test("A head with more than 255 fields is an error that says so")
    func manyFields() async throws {
        let server = try LoopbackServer { request, connection in
            let count = Int(request.path.dropFirst()) ?? 0
            return connection.answer(
                200, Dictionary(uniqueKeysWithValues: (1..<count).map { ("X-\($0)", "a") }), Data("body".utf8)
            )
        }
        #expect(try await send(AsyncHTTPAPIClient(), server.url("/255")).result.get() == Data("body".utf8))
        guard case .failure(.broken(let error)) = await send(AsyncHTTPAPIClient(), server.url("/300")).result
        else {
            Issue.record("the response was accepted")
            return
        }
        #expect("\(error)".contains("more than 255 fields"), "\(error)")
    }

    @Test("A second response to one request answers no other request, and its connection is closed")
    func secondResponse() async throws {
        let first = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfirst"
        let (isSecondSent, hasClosed) = (DispatchSemaphore(value: 0), AsyncStream<Never>.makeStream())
        let server = try LoopbackServer { request, connection in
            guard request.path == "/first" else { return connection.answer(200, [:], Data("own".utf8)) }
            connection.send(first)
            // The connection is in the pool now.
            isSecondSent.wait()
            connection.send(first.replacing("first", with: "other"))
            connection.waitForClose()
            hasClosed.continuation.finish()
            return false
        }
        let client = AsyncHTTPAPIClient()
        #expect(try await send(client, server.url("/first")).result.get() == Data("first".utf8))
        isSecondSent.signal()
        for await _ in hasClosed.stream {}
        #expect(try await send(client, server.url("/next")).result.get() == Data("own".utf8))
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test(
        "AsyncHTTPAPIClient passes the conformance checks that measure or stall the process",
        arguments: APIClientConformance.isolated().indices)
    func isolated(index: Int) async {
        await #expect(processExitsWith: .success, "\(APIClientConformance.isolated()[index])") {
            [index = index as Int] in
            do {
                try await APIClientConformance.isolated()[index].run(AsyncHTTPAPIClient())
                exit(EXIT_SUCCESS)
            } catch {
                Issue.record(error)
                exit(EXIT_FAILURE)
            }
        }
    }
    #endif

    @Test("A redirect is followed although its body never ends or is too short", arguments: ["", "half"])
    func endlessRedirect(body: String) async throws {
        let server = try LoopbackServer { request, connection in
            guard request.path == "/" else { return connection.answer(200, [:], Data("found".utf8)) }
            connection.send("HTTP/1.1 302 Found\r\nLocation: /found\r\nContent-Length: 9\r\n\r\n\(body)")
            if body.isEmpty { connection.waitForClose() }
            return false
        }
        #expect(try await send(AsyncHTTPAPIClient(), server.url("/")).result.get() == Data("found".utf8))
    }

    @Test(
        "Over HTTP/2, a status that is not a number from 100 to 999 is an error",
        arguments: ["-5", "099", "1", "00", "abc", "", "99999999999999999999", "+200", "1000"])
    func statusOverHTTP2(status: String) async throws {
        let folder = try TemporaryFolder()
        let certificate = try TestCertificate(in: folder)
        let server = try LoopbackServer.faulty()
        let answer = HTTP2Frame.FramePayload.headers(.init(headers: [":status": status], endStream: true))
        try await HTTP2Front.serve(certificate, before: server, turn: { $0 == 1 ? .frames([answer]) : .pass })
        { _, url in
            let client = try AsyncHTTPAPIClient(trustedCertificates: certificate.file)
            guard case .failure(.broken) = await send(client, url).result else {
                Issue.record("the response was accepted")
                return
            }
            #expect(await send(client, url.appending(path: "echo")).response?.statusCode == 200)
        }
    }

    @Test("A host may be an IPv6 address, in a request and in a redirect")
    func ipv6() async throws {
        let location = Recorded("")
        let server = try LoopbackServer { request, connection in
            request.path == "/redirect"
                ? connection.answer(302, ["Location": location.value]) : connection.answer(200)
        }
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: server.port).flatMap
                { back in
                    client.eventLoop.makeCompletedFuture {
                        try client.pipeline.syncOperations.addHandler(Relay(to: back))
                        try back.pipeline.syncOperations.addHandler(Relay(to: client))
                    }
                }
            }.bind(host: "::1", port: 0).get()
        let address = "http://[::1]:\(try #require(listener.localAddress?.port))/echo"
        location.update { $0 = address }
        for url in [try #require(URL(string: address)), server.url("/redirect")] {
            let response = await send(AsyncHTTPAPIClient(), url)
            #expect(response.response?.statusCode == 200, "\(url): \(response)")
            #expect(response.response?.url?.absoluteString == address)
        }
        try await listener.close()
    }

    @Test(
        "An event may have an ID with a control character, but no header field does",
        arguments: ["a\u{1}b", "a\u{7f}", "a\tb", "ä"])
    func eventIDs(id: String) async throws {
        let answers = Recorded([
            "200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: \(id)\ndata: a\n\n",
            "204 No Content\r\n\r\n",
        ])
        let server = try LoopbackServer { _, connection in
            connection.sendLast("HTTP/1.1 \(answers.update { $0.removeFirst() })")
        }
        let source = APIEventSource(maximumReconnections: 1, delay: .zero)
        let service = APIService(client: AsyncHTTPAPIClient(), config: .forTests())
        var ids: [String] = []
        for try await event in service.events(of: Request(baseURL: server.url("")), source: source) {
            ids.append(event.id)
        }
        #expect(ids == [id])
        #expect(
            server.requests.map { $0.fields["last-event-id"] } == [
                nil, ["a\tb", "ä"].contains(id) ? id : nil,
            ])
    }

    @Test("An upload of a missing file is a local error and is tried once")
    func missingFile() async throws {
        struct Upload: APIRequest {
            typealias Response = Data
            let baseURL: URL
            let path = "/echo"
            let method = APIRequestMethod.put
            let retry: APIRetryPolicy? = APIRetryPolicy(maximumAttempts: 3)
            let taskType: APIRequestTaskType
        }
        let server = try LoopbackServer.faulty()
        let missing = try TemporaryFolder().file("missing")
        let service = APIService(client: AsyncHTTPAPIClient(), config: .forTests())
        let response = await service.response(
            to: Upload(baseURL: server.url(""), taskType: .upload(.file(missing))))
        guard case .localError? = response.result.error else {
            Issue.record("\(response.result)")
            return
        }
        #expect(response.explanation.attempts == 1)
        #expect(server.requests.isEmpty)
    }

    @Test(
        "After a 303, a GET with a body is sent without it, and after a 307 with it", arguments: [303, 307])
    func redirectedBody(status: Int) async throws {
        let server = try LoopbackServer { request, connection in
            request.path == "/a"
                ? connection.answer(status, ["Location": "/b"]) : connection.answer(200, [:], request.body)
        }
        var request = URLRequest(url: server.url("/a"))
        request.httpBody = Data("{}".utf8)
        let response: APIDataResponse = await withCheckedContinuation { waiter in
            AsyncHTTPAPIClient().createDataRequest(request: request, progressHandler: nil) {
                waiter.resume(returning: $0)
            }.resume()
        }
        #expect(try response.result.get() == Data(status == 303 ? "".utf8 : "{}".utf8))
    }

    @Test("Header values are read as UTF-8, and other bytes do not break the response")
    func headerBytes() async throws {
        let server = try LoopbackServer { request, connection in
            let value = request.path == "/utf8" ? Data("ä".utf8) : Data([0xe4])
            return connection.send(
                Data("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Field: ".utf8) + value + Data("\r\n\r\n".utf8)
            )
        }
        let utf8 = await send(AsyncHTTPAPIClient(), server.url("/utf8"))
        #expect(utf8.response?.value(forHTTPHeaderField: "X-Field") == "ä", "\(utf8)")
        let latin1 = await send(AsyncHTTPAPIClient(), server.url("/latin1"))
        #expect(latin1.response?.value(forHTTPHeaderField: "X-Field") != nil, "\(latin1)")
    }
}

/// Forwards bytes to another connection.
private final class Relay: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let other: any Channel

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        other.writeAndFlush(unwrapInboundIn(data), promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
}
