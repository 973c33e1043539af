import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APITransport

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Linux reports every truncated body itself, so these tests simulate a session that does not.
@Suite("A session that reports a truncated body as complete", .waitLimit)
struct TruncationTests {
    /// Returns how an exchange ends if the session reports `received` bytes and a normal end.
    private func end(
        received: Int, fields: [String: String], status: Int = 200, method: String = "GET"
    ) async throws -> APITransportError? {
        // The server never answers the exchange's own task.
        let server = try LoopbackServer { _, connection in
            connection.waitForClose()
            return false
        }
        var request = URLRequest(url: server.url("/"))
        request.httpMethod = method
        let ends = Recorded<[APITransportError?]>([])
        let exchange = URLSessionExchange(
            request, upload: nil, client: URLSessionAPIClient(), progressHandler: nil
        ) { if case .end(let error) = $0 { ends.update { $0.append(error) } } }
        exchange.resume()
        let head = try #require(
            HTTPURLResponse(url: server.url("/"), statusCode: status, httpVersion: nil, headerFields: fields))
        exchange.head(head)
        for _ in 0..<received { exchange.piece(Data([0])) }
        exchange.finished(nil)
        exchange.cancel()
        return try #require(ends.value.first)
    }

    @Test(
        "A body that is shorter than its Content-Length, and a Content-Length that is no number, are errors",
        arguments: [
            ("4", .networkConnectionLost), ("4, 4", .networkConnectionLost),
            ("99999999999999999999", .networkConnectionLost), ("3, 4", .badServerResponse),
            ("3x", .badServerResponse), ("-3", .badServerResponse), ("+4", .badServerResponse),
            ("-0", .badServerResponse), ("", .badServerResponse),
        ] as [(String, URLError.Code)])
    func short(length: String, code: URLError.Code) async throws {
        guard case .broken(let error) = try await end(received: 3, fields: ["Content-Length": length]) else {
            Issue.record("The exchange ended without an error.")
            return
        }
        #expect((error as? URLError)?.code == code)
    }

    @Test(
        "A complete body, a body of unknown length and a missing body are not errors",
        arguments: [
            (4, ["Content-Length": "4"], 200, "GET"), (3, [:], 200, "GET"),
            (4, ["Content-Length": "4, 4"], 200, "GET"), (0, ["Content-Length": "4"], 204, "GET"),
            (3, ["Content-Length": "9", "Content-Encoding": "gzip"], 200, "GET"),
            (0, ["Content-Length": "4"], 200, "HEAD"), (0, ["Content-Length": "4"], 304, "GET"),
        ])
    func whole(received: Int, fields: [String: String], status: Int, method: String) async throws {
        let error = try await end(received: received, fields: fields, status: status, method: method)
        #expect(error == nil)
    }
}

@Suite("The declared length of a body")
struct DeclaredLengthTests {
    @Test(
        "A length is expected of a body that is not longer, and has no coding",
        arguments: [(4, nil, 4), (5, nil, nil), (4, "identity", 4), (4, "gzip", nil)]
            as [(Int64, String?, Int64?)])
    func expected(count: Int64, coding: String?, length: Int64?) throws {
        var fields = ["Content-Length": "4"]
        fields["Content-Encoding"] = coding
        let head = try #require(
            HTTPURLResponse(url: url("http://h/"), statusCode: 200, httpVersion: nil, headerFields: fields))
        var body = StreamedBody(limit: nil)
        body.head = head
        #expect(body.expectedLength(beyond: count) == length)
    }
}

@Suite("The events of a session's exchange", .waitLimit)
struct ExchangeEventTests {
    @Test("An exchange reports no empty piece, no total that is unknown, and nothing after its end")
    func events() throws {
        // The server never answers the exchange's own task.
        let server = try LoopbackServer { _, connection in
            connection.waitForClose()
            return false
        }
        let (events, progress) = (Recorded<[String]>([]), Recorded<[APIProgress]>([]))
        let exchange = URLSessionExchange(
            URLRequest(url: server.url("/")), upload: nil, client: URLSessionAPIClient(),
            progressHandler: { step in progress.update { $0.append(step) } }
        ) { event in
            events.update {
                switch event {
                case .head: $0.append("head")
                case .piece(let piece): $0.append("piece of \(piece.count)")
                case .end: $0.append("end")
                }
            }
        }
        let head = try #require(
            HTTPURLResponse(url: server.url("/"), statusCode: 200, httpVersion: nil, headerFields: [:]))
        func report() {
            exchange.sent(1, of: 1)
            exchange.sent(1, of: 0)
            exchange.sent(1, of: -1)
            exchange.head(head)
            exchange.piece(Data())
            exchange.piece(Data([1]))
        }
        exchange.resume()
        report()
        exchange.cancel()
        report()
        exchange.finished(nil)
        #expect(events.value == ["head", "piece of 1", "end"])
        #expect(progress.value.map(\.total) == [1, nil, nil])
    }
}
