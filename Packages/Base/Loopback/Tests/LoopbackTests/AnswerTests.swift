import Foundation
import TestSupport
import Testing

@testable import Loopback

@Suite("The answers of the loopback server", .timeLimit(.minutes(10)), .waitLimit)
struct AnswerTests {
    @Test(
        "The status line of an answer has the reason phrase of its status code, or none",
        arguments: [(200, "OK"), (404, "Not Found"), (503, "Service Unavailable"), (599, "")])
    func reasonPhrase(status: Int, phrase: String) throws {
        let server = try LoopbackServer { request, connection in
            connection.answer(status, ["Content-Type": "text/plain"], Data(request.path.utf8))
        }
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.send("GET /news?page=2 HTTP/1.1\r\n\r\n")
        #expect(
            client.next
                == "HTTP/1.1 \(status) \(phrase)\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\n/news"
        )
        #expect(server.requests.map(\.query) == ["page=2"])
    }

    @Test("An answer without content has no length", arguments: [204, 304])
    func noContent(status: Int) throws {
        let server = try LoopbackServer { _, connection in connection.answer(status) }
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.next?.contains("Content-Length") == false)
    }

    @Test("A connection stays open if the handler says so, and is closed otherwise")
    func keptOpen() throws {
        let server = try LoopbackServer(keepsRequests: false) { request, connection in
            connection.answer(200) && request.path == "/open"
        }
        defer { server.stop() }
        let client = try Client(port: server.port)
        for path in ["/open", "/open", "/close"] {
            client.send("GET \(path) HTTP/1.1\r\n\r\n")
            #expect(client.next?.hasPrefix("HTTP/1.1 200 OK") == true)
        }
        #expect(client.next == nil)
        #expect(server.requests.isEmpty)
    }

    @Test("The last text of a handler is sent as it is, and then the connection is closed")
    func sendsLast() throws {
        let server = try LoopbackServer { _, connection in connection.sendLast("not HTTP") }
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.rest == "not HTTP")
    }

    @Test("A handler may wait until its client sends nothing more")
    func waitsForClose() throws {
        let server = try LoopbackServer { _, connection in
            connection.waitForClose()
            return connection.send("closed")
        }
        defer { server.stop() }
        let client = try Client(port: server.port)
        for text in ["GET / HTTP/1.1\r\n\r\n", "more"] { client.send(text) }
        client.endSending()
        #expect(client.next == "closed")
    }

    @Test("A client that waits for a go-ahead sends its body in chunks, which the server joins")
    func chunks() throws {
        let server = try LoopbackServer { request, connection in
            connection.answer(200, [:], request.body)
        }
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.send("POST / HTTP/1.1\r\nExpect: 100-Continue\r\nTransfer-Encoding: Chunked\r\n\r\n")
        #expect(client.next == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("4\r\nMind\r\n8\r\n the gap\r\n0\r\n\r\n")
        #expect(client.next?.hasSuffix("\r\n\r\nMind the gap") == true)
        #expect(server.requests.map(\.method) == ["POST"])
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.next?.hasSuffix("\r\n\r\n") == true)
    }

    @Test("A server that stops closes its connections, and stops its front end once")
    func stops() throws {
        let stops = Shared(0)
        let front: LoopbackServer.Front.Maker = { port in
            let base = try #require(URL(string: "https://front.example:\(port)"))
            return LoopbackServer.Front(base: base) { stops.update { $0 += 1 } }
        }
        let server = try LoopbackServer(front: front) { _, connection in connection.answer(200) }
        #expect(server.url("/a?b").absoluteString == "https://front.example:\(server.port)/a?b")
        let client = try Client(port: server.port)
        client.send("GET / HTTP/1.1\r\n\r\n")
        #expect(client.next != nil)
        server.stop()
        #expect(client.next == nil)
        server.stop()
        #expect(stops.value == 1)
    }

    @Test("A server that stops gives its port back")
    func portAfterStop() throws {
        // Another test may get the port of a server first.
        let isGivenBack = try (0..<10).contains { _ in
            let server = try LoopbackServer { _, connection in connection.answer(200) }
            server.stop()
            return isFree(server.port)
        }
        #expect(isGivenBack)
    }

    @Test("A server whose front end fails does not listen")
    func noFront() throws {
        struct NoFront: Error {}
        let port = Shared(0)
        // Another test may get the port of a server first.
        let isGivenBack = (0..<10).contains { _ in
            #expect(throws: NoFront.self) {
                try LoopbackServer(
                    front: {
                        port.value = $0
                        throw NoFront()
                    },
                    { _, _ in true })
            }
            return isFree(port.value)
        }
        #expect(isGivenBack)
    }

    private func isFree(_ port: Int) -> Bool {
        guard let listener = try? LoopbackSocket.listen(port: port) else { return false }
        LoopbackSocket.close(listener)
        return true
    }
}
