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
}
