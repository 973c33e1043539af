import APIServiceTesting
import Foundation
import Testing

@testable import APIService

@Suite("Server-sent events")
struct EventTests {
    private func parse(_ text: String) -> [APIServerEvent] {
        var parser = ServerEventParser()
        return parser.read(Data(text.utf8))
    }

    @Test(
        "the standard's examples are read as it says",
        arguments: [
            ("data: a\ndata:b\n\n", ["message|a\nb|"]),
            (": comment\n\ndata\n\ndata\ndata\n\ndata:", ["message||", "message|\n|"]),
            (
                "id: 1\nevent: add\ndata: x\n\ndata: y\n\nid\ndata: z\n\n",
                ["add|x|1", "message|y|1", "message|z|"]
            ),
            ("data: a\r\n\r\ndata: b\r\rdata: c\n\n", ["message|a|", "message|b|", "message|c|"]),
            ("\u{feff}data:  two spaces\n\n", ["message| two spaces|"]), ("event: only\n\n", []),
            ("data: cut off\n", []),
            ("id: a\0b\ndata: x\n\n", ["message|x|"]), ("unknown: x\ndata: a:b\n\n", ["message|a:b|"]),
            ("", []),
        ])
    func examples(text: String, expected: [String]) {
        #expect(parse(text).map { "\($0.name)|\($0.data)|\($0.id)" } == expected)
    }

    @Test("property: it does not matter where the pieces are cut")
    func pieces() {
        var random = Random(seed: 6)
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

    @Test("events come through the service, with what the accessories add, and their end is the loop's end")
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

    @Test("a status that is not acceptable, and a broken connection, are thrown")
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

    @Test("leaving the loop ends the exchange, down to the connection")
    func leave() async throws {
        let gone = Door()
        let server = try LoopbackServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\ndata: one\n\n")
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
}
