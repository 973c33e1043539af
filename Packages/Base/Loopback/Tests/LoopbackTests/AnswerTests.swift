import Foundation
import Loopback
import TestSupport
import Testing

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
}
