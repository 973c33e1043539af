import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APIEvents
@testable import APIService
@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite("Server-sent events", .timeLimit(.minutes(10)), .waitLimit)
struct EventTests {
    private func parse(_ text: String) -> [APIServerEvent] {
        var parser = ServerEventParser()
        return parser.read(Data(text.utf8))
    }

    @Test(
        "The parser reads event streams as the standard for server-sent events specifies",
        arguments: [
            ("data: a\ndata:b\n\n", ["message|a\nb|"]),
            (": comment\n\ndata\n\ndata\ndata\n\ndata:", ["message||", "message|\n|"]),
            (
                "id: 1\nevent: add\ndata: x\n\ndata: y\n\nid\ndata: z\n\n",
                ["add|x|1", "message|y|1", "message|z|"]
            ),
            ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["message|a|", "message|b|", "message|c|"]),
            ("data: a\r\ndata: b\r\n\r\n", ["message|a\nb|"]),
            ("data: a\rdata: b\n\ndata: c\r\n\r", ["message|a\nb|", "message|c|"]),
            ("\u{feff}data:  two spaces\n\n", ["message| two spaces|"]), ("event: only\n\n", []),
            ("data: cut off\n", []),
            ("id: a\0b\ndata: x\n\n", ["message|x|"]), ("unknown: x\ndata: a:b\n\n", ["message|a:b|"]),
            ("", []),
        ])
    func examples(text: String, expected: [String]) {
        #expect(parse(text).map { "\($0.name)|\($0.data)|\($0.id)" } == expected)
    }

    @Test("A retry field that is not a number of milliseconds leaves the earlier one")
    func retry() {
        var parser = ServerEventParser()
        for (field, expected) in [
            ("5s", nil), ("5", 5), ("", 5), ("-1", 5), ("99999999999999999999", 5), ("07", 7),
        ] as [(String, Int?)] {
            #expect(parser.read(Data("retry: \(field)\n".utf8)) == [] && parser.retry == expected)
        }
    }

    @Test("The parser reads the same events wherever the stream is split")
    func pieces() {
        var random = SeededRandom(6)
        let lines = [
            "data: é\n", "data\r\n", "\n", "\r", "\r\n", "id: 1\n", "event: x\r", ": c\n", "retry: 5\n",
            "data:汉",
        ]
        for _ in 0..<500 {
            let text = (0..<10).map { _ in lines[Int.random(in: 0..<lines.count, using: &random)] }.joined()
            var parser = ServerEventParser()
            var events: [APIServerEvent] = []
            var rest = Data(text.utf8)
            while !rest.isEmpty {
                let count = Int.random(in: 1...rest.count, using: &random)
                events += parser.read(rest.prefix(count))
                rest = Data(rest.dropFirst(count))
            }
            #expect(events == parse(text))
        }
    }

    @Test("The exchange of a connection is released when its stream has ended")
    func released() async throws {
        final class Exchange: APIRequestTask {
            let (handler, released): (@Sendable (APIStreamEvent) -> Void, Recorded<Int>)
            init(_ handler: @escaping @Sendable (APIStreamEvent) -> Void, _ released: Recorded<Int>) {
                (self.handler, self.released) = (handler, released)
            }
            deinit { _ = released.next() }
            func resume() { handler(.end(nil)) }
            func cancel() {}
        }
        struct Client: APIStreamingClient {
            let released = Recorded(0)
            func createStreamRequest(
                request: URLRequest, upload: APIUpload?, progressHandler: APIProgressHandler?,
                eventHandler: @escaping @Sendable (APIStreamEvent) -> Void
            ) -> any APIRequestTask { Exchange(eventHandler, released) }
        }
        let client = Client()
        let service = APIService(client: client, config: testSettings())
        for try await _ in service.events(of: TestRequest(Text.self)) {}
        #expect(client.released.value == 1)
    }

    // A parser that copied the earlier lines for each new line would take minutes.
    @Test("An event of 300,000 lines is read in linear time", .timeLimit(.minutes(10)), .waitLimit)
    func manyLines() {
        var parser = ServerEventParser()
        let piece = Data(String(repeating: "data:of twenty characters\n", count: 5_000).utf8)
        for _ in 0..<60 { #expect(parser.read(piece) == []) }
        #expect(parser.read(Data("\n".utf8)).map(\.data.utf8.count) == [300_000 * 21 - 1])
    }

    @Test("An event after a comment of 512 bytes arrives while the stream is still open")
    func padding() async throws {
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
            connection.send(":" + String(repeating: " ", count: 511) + "\n\ndata: first\n\n")
            connection.waitForClose()
            return false
        }
        let service = APIService(client: URLSessionAPIClient(), config: testSettings { _ in })
        let request = TestRequest(APIEmpty.self) { $0.baseURL = server.url("") }
        for try await event in service.events(of: request) {
            #expect(event.data == "first")
            break
        }
    }

    @Test("A stream that breaks while the network is unreachable throws networkError")
    func unreachable() async {
        let client = StubAPIClient { _ in .failure(.broken(URLError(.timedOut))) }
        let service = APIService(client: client, config: testSettings { $0.isReachable = { false } })
        await #expect(throws: APIError.networkError) {
            for try await _ in service.events(of: TestRequest(APIEmpty.self)) {}
        }
    }

    @Test("The service applies its accessories to an event request, and the loop ends when the stream ends")
    func service() async throws {
        let server = try LoopbackServer.faulty()
        let service = APIService(
            client: URLSessionAPIClient(),
            config: testSettings { $0.accessories = [APIHeaderAccessory(["X-App": "1"])] })
        var events: [APIServerEvent] = []
        for try await event in service.events(
            of: TestRequest(APIEmpty.self) {
                $0.baseURL = server.url("")
                $0.path = "/events"
            })
        {
            events.append(event)
        }
        #expect(
            events == [
                APIServerEvent(data: "one", id: "1"),
                APIServerEvent(name: "named", data: "two\nlines", id: "1"),
            ])
        #expect(server.requests.first?.fields["x-app"] == "1")
        #expect(server.requests.first?.fields["accept"] == "text/event-stream")
    }

    @Test("The loop over the events throws an error for an unacceptable status and for a broken connection")
    func failures() async throws {
        let server = try LoopbackServer.faulty()
        let service = APIService(client: URLSessionAPIClient(), config: testSettings())
        func read(_ path: String) async throws {
            for try await _ in service.events(
                of: TestRequest(APIEmpty.self) {
                    $0.baseURL = server.url("")
                    $0.path = path
                })
            {}
        }
        await #expect(throws: APIError.responseError(.unacceptableStatus(.init(statusCode: 503)))) {
            try await read("/status/503")
        }
        await #expect(throws: APIError.self) { try await read("/cut") }
    }

    @Test(
        "A response whose type is not text/event-stream ends the loop without reconnecting",
        arguments: ["text/html; charset=utf-8", "text/event-streams", nil])
    func type(type: String?) async throws {
        let server = try LoopbackServer { _, connection in
            connection.answer(200, type.map { ["Content-Type": $0] } ?? [:], Data("data: x\n\n".utf8))
        }
        let (data, error) = await read(
            server, APIEventSource(maximumReconnections: 3, delay: .zero, minimumDelay: .zero))
        #expect(data == [])
        #expect(error == .responseError(.unacceptableContentType(type ?? "")))
        #expect(server.requests.count == 1)
    }

    /// The start of an event stream, with 512 bytes of comments, because macOS holds back the first 512 bytes of a
    /// body that is not JSON.
    private static let head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
        + String(repeating: ":" + String(repeating: " ", count: 61) + "\n\n", count: 8)

    @Test("Leaving the loop over the events closes the connection")
    func leave() async throws {
        let gone = Door()
        let server = try LoopbackServer { _, connection in
            connection.send(Self.head + "data: one\n\n")
            connection.waitForClose()
            gone.open()
            return false
        }
        let service = APIService(client: URLSessionAPIClient(), config: testSettings())
        for try await event in service.events(of: TestRequest(APIEmpty.self) { $0.baseURL = server.url("") })
        {
            #expect(event.data == "one")
            break
        }
        await gone.pass()
    }

    /// Reads a server's events, and returns their data and the error that the loop throws.
    private func read(
        _ server: LoopbackServer, _ source: APIEventSource, clock: VirtualClock = VirtualClock(),
        begins: () async -> Void = {}
    ) async -> (data: [String], error: APIError?) {
        let service = APIService(client: URLSessionAPIClient(), config: testSettings { $0.clock = clock })
        let events = service.events(
            of: TestRequest(APIEmpty.self) { $0.baseURL = server.url("") }, source: source)
        await begins()
        var data: [String] = []
        do {
            for try await event in events { data.append(event.data) }
            return (data, nil)
        } catch {
            return (data, error as? APIError)
        }
    }

    @Test("A stream reconnects after the server's retry delay and continues after the last complete event")
    func reconnects() async throws {
        let answers = Recorded([
            "200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 50\nid: 7\ndata: a\n\nid: 8\ndata: cut off",
            "200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 100\r\n\r\n",
            "200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: b\n\n", "204 No Content\r\n\r\n",
        ])
        let server = try LoopbackServer { _, connection in
            connection.sendLast("HTTP/1.1 \(answers.update { $0.removeFirst() })")
        }
        let clock = VirtualClock()
        let source = APIEventSource(maximumReconnections: 2, minimumDelay: .zero)
        async let read = read(server, source, clock: clock)
        // The second connection fails, which doubles the delay; the third succeeds.
        for wait in [50, 100, 50] {
            await clock.waitForSleepers(1)
            #expect(clock.sleeps == [.milliseconds(wait)])
            clock.advance(by: .milliseconds(wait))
        }
        let (data, error) = await read
        #expect(data == ["a", "b"])
        #expect(error == nil)
        #expect(server.requests.map { $0.fields["last-event-id"] } == [nil, "7", "7", "7"])
    }

    @Test(
        "An event may have an ID with a control character, but no header field does",
        arguments: ["a\u{1}b", "a\u{7f}", "\u{1b}[0m", "a\tb", "ä"])
    func controlCharacters(id: String) async throws {
        let answers = Recorded([
            "200 OK\r\nContent-Type: text/event-stream\r\n\r\nid: \(id)\ndata: a\n\n",
            "204 No Content\r\n\r\n",
        ])
        let server = try LoopbackServer { _, connection in
            connection.sendLast("HTTP/1.1 \(answers.update { $0.removeFirst() })")
        }
        var ids: [String] = []
        let source = APIEventSource(maximumReconnections: 1, delay: .zero)
        let service = APIService(client: URLSessionAPIClient(), config: testSettings())
        for try await event in service.events(
            of: TestRequest(Text.self) { $0.baseURL = server.url("") }, source: source)
        {
            ids.append(event.id)
        }
        #expect(ids == [id])
        #expect(
            server.requests.map { $0.fields["last-event-id"] } == [
                nil, ["a\tb", "ä"].contains(id) ? id : nil,
            ])
    }

    @Test(
        "A stream reconnects only after its minimum delay, even if the server sends retry: 0",
        arguments: [
            (APIEventSource(maximumReconnections: 1), [500, 500, 500]),
            (APIEventSource(maximumReconnections: 1, minimumDelay: .milliseconds(70)), [70, 70, 70]),
            (
                APIEventSource(
                    maximumReconnections: 1, maximumDelay: .milliseconds(5), minimumDelay: .milliseconds(70)),
                [70, 70, 70]
            ),
        ])
    func retryOfZero(source: APIEventSource, waits: [Int]) async throws {
        let server = try LoopbackServer { _, connection in
            connection.sendLast(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nretry: 0\ndata: a\n\n")
        }
        let clock = VirtualClock()
        let service = APIService(client: URLSessionAPIClient(), config: testSettings { $0.clock = clock })
        let events = service.events(
            of: TestRequest(APIEmpty.self) { $0.baseURL = server.url("") }, source: source)
        for (index, wait) in waits.enumerated() {
            await clock.waitForSleepers(1)
            #expect(clock.sleeps == [.milliseconds(wait)])
            #expect(server.requests.count == index + 1)
            clock.advance(by: .milliseconds(wait))
        }
        withExtendedLifetime(events) {}
    }

    @Test(
        "The minimum delay applies to the server's retry field, not to the delay that an APIEventSource sets")
    func ownDelay() {
        let source = APIEventSource(maximumReconnections: 3, delay: .milliseconds(20))
        #expect(source.wait(failures: 0, retry: nil) == .milliseconds(20))
        #expect(source.wait(failures: 2, retry: nil) == .milliseconds(80))
        #expect(source.wait(failures: 0, retry: .milliseconds(20)) == .milliseconds(500))
        #expect(source.wait(failures: 0, retry: .seconds(61)) == .seconds(60))
        let capped = APIEventSource(maximumReconnections: 1, delay: .seconds(9), maximumDelay: .seconds(5))
        #expect(capped.wait(failures: 0, retry: nil) == .seconds(5))
        #expect(capped.wait(failures: 1, retry: nil) == nil)
    }

    @Test(
        "A stream that reconnects too often without an event ends as its last connection does",
        arguments: [nil, ": ping\n\nid: 1\n\n"])
    func givesUp(text: String?) async throws {
        let server = try LoopbackServer { _, connection in
            text.map { connection.sendLast(Self.head + $0) } ?? false
        }
        let clock = VirtualClock()
        async let read = read(
            server, APIEventSource(maximumReconnections: 3, maximumDelay: .seconds(10)), clock: clock)
        for wait in [3, 6, 10] {
            await clock.waitForSleepers(1)
            #expect(clock.sleeps == [.seconds(wait)])
            clock.advance(by: .seconds(wait))
        }
        let error = await read.error
        #expect(server.requests.count == 4)
        guard text == nil else {
            #expect(error == nil)
            return
        }
        guard case .connectionError = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A stream with too many unread events or an oversized event ends and closes its connection")
    func overflow() async throws {
        let cases: [(Int, String, APIEventOverflow, [String])] = [
            (3, String(repeating: "data: x\n\n", count: 5), .tooMany, ["x", "x", "x"]),
            // At least one event can wait.
            (0, String(repeating: "data: x\n\n", count: 5), .tooMany, ["x"]),
            (3, "data: x\n\ndata: " + String(repeating: "y", count: 200), .tooLong, ["x"]),
            (3, "data: x\n\ndata: " + String(repeating: "y", count: 200) + "\n\n", .tooLong, ["x"]),
        ]
        for (limit, text, overflow, expected) in cases {
            let gone = Door()
            let server = try LoopbackServer { _, connection in
                connection.send(Self.head + text)
                connection.waitForClose()
                gone.open()
                return false
            }
            let source = APIEventSource(maximumReconnections: 9, bufferLimit: limit, eventLimit: 100)
            let (data, error) = await read(server, source) { await gone.pass() }
            #expect(data == expected)
            #expect(error == .connectionError(overflow))
        }
    }

    @Test("An event's size is the size of its lines, however they arrive; comments do not count")
    func size() {
        let longest = "id: 1\nretry: 5\ndata: 23456789\n\n"
        for (text, expected) in [(longest, 1), (longest + "data: 234567890123456789012345678\n\n", 1)] {
            for step in [1, 7, 1_000] {
                var parser = ServerEventParser(eventLimit: 27)
                let bytes = Array((":" + String(repeating: "c", count: 99) + "\n" + text).utf8)
                var events = 0
                for start in stride(from: 0, to: bytes.count, by: step) {
                    events += parser.read(bytes[start..<min(start + step, bytes.count)]).count
                }
                #expect(events == expected)
                #expect(parser.isTooLong == (text != longest))
            }
        }
    }

    @Test("An unacceptable status closes the connection even if the body never ends")
    func refused() async throws {
        let gone = Door()
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 500 Error\r\nContent-Type: application/json\r\n\r\ndata: x\n\n")
            connection.waitForClose()
            gone.open()
            return false
        }
        let (data, error) = await read(server, APIEventSource(maximumReconnections: 9))
        #expect(data == [])
        #expect(error == .responseError(.unacceptableStatus(.init(statusCode: 500))))
        await gone.pass()
    }
}
