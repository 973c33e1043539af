import Foundation
import TestSupport
import Testing

@testable import Loopback

@Suite("The loopback server, used by clients that break the rules", .timeLimit(.minutes(10)), .waitLimit)
struct LoopbackLimitsTests {
    private static let request = "GET / HTTP/1.1\r\n\r\n"

    private func server(connectionLimit: Int = .max, silenceLimit: Int = 0) throws -> LoopbackServer {
        try LoopbackServer(connectionLimit: connectionLimit, silenceLimit: silenceLimit) {
            request, connection in
            connection.answer(200, [:], Data("\(request.method) \(request.body.count)".utf8))
        }
    }

    @Test(
        "A request that is not HTTP ends its connection, and the server goes on",
        arguments: [
            "\r\n\r\n", "GET\r\n\r\n", "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7fffffffffffffff\r\n",
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n7ffffffffffffffd\r\n",
        ])
    func notHTTP(_ text: String) throws {
        let server = try server()
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.send(text)
        #expect(client.rest == "")
        let other = try Client(port: server.port)
        other.send(Self.request)
        #expect(other.next?.hasSuffix("GET 0") == true)
    }

    @Test("A negative length is no body", arguments: ["-1", "-9223372036854775808"])
    func negativeLength(_ length: String) throws {
        let server = try server()
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.send("POST / HTTP/1.1\r\nContent-Length: \(length)\r\n\r\n")
        #expect(client.next?.hasSuffix("POST 0") == true)
    }

    @Test("A connection above the limit is closed, and one that ends makes room for another")
    func connections() throws {
        let server = try server(connectionLimit: 1)
        defer { server.stop() }
        var first: Client? = try Client(port: server.port)
        first?.send(Self.request)
        #expect(first?.next?.hasSuffix("GET 0") == true)
        let second = try Client(port: server.port)
        #expect(second.rest == "")
        first?.send(Self.request)
        #expect(first?.next?.hasSuffix("GET 0") == true)
        first = nil
        // The server may take some time to notice the end.
        var answer: String?
        while answer == nil {
            let third = try Client(port: server.port)
            third.send(Self.request)
            answer = third.next
        }
        #expect(answer?.hasSuffix("GET 0") == true)
    }

    @Test("A silent client is disconnected", arguments: ["", "GET / HT", request])
    func silence(_ start: String) throws {
        let server = try server(silenceLimit: 1)
        defer { server.stop() }
        let client = try Client(port: server.port)
        client.send(start)
        #expect(client.rest.hasSuffix("GET 0") == (start == Self.request))
    }

    @Test(
        "The server accepts a head and a body of the size limit, and closes the connection of a larger request",
        arguments: [("", true), ("x", false)])
    func sizes(_ excess: String, isAccepted: Bool) throws {
        let server = try LoopbackServer(sizeLimit: 100) { request, connection in
            connection.answer(200, [:], Data("\(request.body.count)".utf8))
        }
        defer { server.stop() }
        let body = String(repeating: "x", count: 100) + excess
        let requests = [
            "POST / HTTP/1.1\r\nContent-Length: \(body.count)\r\n\r\n" + body,
            "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "28\r\n\(body.prefix(40))\r\n\(String(body.count - 40, radix: 16))\r\n\(body.dropFirst(40))\r\n0\r\n\r\n",
        ]
        for request in requests {
            let client = try Client(port: server.port)
            client.send(request)
            #expect(client.next?.hasSuffix("\r\n100") ?? false == isAccepted)
        }
        let head = "POST / HTTP/1.1\r\nA: "
        let client = try Client(port: server.port)
        client.send(head + String(repeating: "x", count: 100 - head.utf8.count) + excess + "\r\n\r\n")
        #expect(client.next?.hasSuffix("\r\n0") ?? false == isAccepted)
    }

    @Test("The size limit applies to the line before a chunk", arguments: [(100, true), (101, false)])
    func chunkLine(count: Int, isAccepted: Bool) throws {
        let server = try LoopbackServer(sizeLimit: 100) { request, connection in
            connection.answer(200, [:], request.body)
        }
        defer { server.stop() }
        let head = "POST / HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
        let line = String(repeating: "0", count: count - 1) + "4"
        // The server has the first piece when it sends the go-ahead.
        for (first, second) in [("\r", "\n"), ("\r\n", "")] {
            let client = try Client(port: server.port)
            client.send(head + line + first)
            #expect(client.next == "HTTP/1.1 100 Continue\r\n\r\n")
            client.send(second + "Mind\r\n0\r\n\r\n")
            #expect(client.next?.hasSuffix("\r\nMind") ?? false == isAccepted)
        }
    }

    @Test("A head without an end ends its connection as soon as it is too large")
    func endlessHead() throws {
        let server = try LoopbackServer(sizeLimit: 100) { _, connection in connection.answer(200) }
        defer { server.stop() }
        let client = try Client(port: server.port)
        // The last four bytes are not the end, so the head has at least 101 bytes.
        client.send(String(repeating: "x", count: 104))
        #expect(client.next == nil)
    }
}
