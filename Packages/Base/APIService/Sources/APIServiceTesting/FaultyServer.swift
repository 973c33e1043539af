import Foundation
import Loopback

extension LoopbackServer {
    /// Creates the server that ``APIClientConformance`` uses. Each path has its own response, which may be
    /// incorrect.
    ///
    /// | Path | Response |
    /// |---|---|
    /// | `/echo` | method, target and sorted header fields, one per line, then an empty line and the body |
    /// | `/status/503` | that status, with the body `status 503` |
    /// | `/head` | a head that declares 5 bytes, for HEAD requests |
    /// | `/chunked` | `one two three` in chunks |
    /// | `/gzip` | `hello gzip`, compressed |
    /// | `/bad-gzip` | the same with one byte changed |
    /// | `/cut-gzip` | the same without its last bytes |
    /// | `/lengths?4,6` | `abcdef` with one Content-Length field for each of these lengths |
    /// | `/early` | two informational responses, then `after` |
    /// | `/big` | a megabyte |
    /// | `/redirect/302?URL` | that status, to that URL |
    /// | `/loop` | 302 to itself |
    /// | `/cut`, `/cut-chunked` | the head and `half` of a body, then the connection closes |
    /// | `/long` | a body longer than its declared length, then the connection closes |
    /// | `/drop` | the connection closes |
    /// | `/garbage` | bytes that are not HTTP |
    /// | `/hang` | nothing, until the client disconnects |
    /// | `/hang-body` | the head and `half` of a body, then nothing until the client disconnects |
    /// | `/file` | 1,000 bytes with an ETag; supports Range with If-Range; `?cut=N` disconnects after N bytes |
    /// | `/events` | a stream of server-sent events |
    ///
    /// - Parameters:
    ///   - front: Creates a front end for the server.
    ///   - onHang: Called when the client of a `/hang` or `/hang-body` request has disconnected.
    /// - Throws: `POSIXError` if the server cannot listen, or an error of `front`.
    public static func faulty(
        front: Front.Maker? = nil, onHang: @escaping @Sendable () -> Void = {}
    ) throws -> LoopbackServer {
        try LoopbackServer(front: front) { request, connection in
            switch request.path {
            case "/echo": return connection.answer(200, ["Content-Type": "text/plain"], echo(request))
            case "/head": return connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n")
            case "/chunked":
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
                for word in ["one ", "two ", "three"] { connection.send("\(word.utf8.count)\r\n\(word)\r\n") }
                return connection.send("0\r\n\r\n")
            case "/gzip":
                return connection.answer(200, ["Content-Encoding": "gzip"], gzip)
            case "/bad-gzip":
                var bad = gzip
                bad[14] ^= 0xff
                return connection.answer(200, ["Content-Encoding": "gzip"], bad)
            case "/cut-gzip":
                return connection.answer(200, ["Content-Encoding": "gzip"], gzip.dropLast(12))
            case "/lengths":
                connection.send("HTTP/1.1 200 OK\r\n")
                for length in request.query.split(separator: ",") {
                    connection.send("Content-Length: \(length)\r\n")
                }
                connection.send("\r\nabcdef")
            case "/early":
                connection.send(
                    "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n")
                return connection.answer(200, [:], Data("after".utf8))
            case "/big": return connection.answer(200, [:], Data(repeating: 0x61, count: 1 << 20))
            case "/loop": return connection.answer(302, ["Location": "/loop"])
            case "/cut":
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nhalf")
            case "/cut-chunked":
                connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\nhalf")
            case "/long": connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nwhole and more")
            case "/garbage": connection.send("\u{1}\u{2} this is not HTTP\r\n\r\n")
            case "/hang", "/hang-body":
                if request.path == "/hang-body" {
                    // macOS would hold back the first bytes of another type.
                    connection.send(
                        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 8\r\n\r\nhalf")
                }
                connection.waitForClose()
                onHang()
            case "/file": return file(request, connection)
            case "/events":
                connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n")
                connection.send("id: 1\ndata: one\n\n: comment\nevent: named\ndata: t")
                connection.send("wo\ndata: lines\n\n")
            default:
                if request.path.hasPrefix("/status/"), let status = Int(request.path.dropFirst(8)) {
                    return connection.answer(
                        status, [:], status == 204 || status == 304 ? Data() : Data("status \(status)".utf8))
                }
                if request.path.hasPrefix("/redirect/"), let status = Int(request.path.dropFirst(10)) {
                    return connection.answer(status, ["Location": request.query])
                }
            }
            return false
        }
    }

    /// The 1,000 bytes that `/file` sends.
    public static let fileContent = Data((0..<1_000).map { UInt8($0 % 251) })

    private static func echo(_ request: Request) -> Data {
        var lines = ["\(request.method) \(request.target)"]
        lines += request.fields.map { "\($0.key): \($0.value)" }.sorted()
        return Data((lines.joined(separator: "\n") + "\n\n").utf8) + request.body
    }

    private static func file(_ request: Request, _ connection: Connection) -> Bool {
        let etag = "\"v1\""
        var start = 0
        if let range = request.fields["range"], range.hasPrefix("bytes="), range.hasSuffix("-"),
            request.fields["if-range"] == etag, let first = Int(range.dropFirst(6).dropLast())
        {
            start = first
        }
        guard start < fileContent.count else { return connection.answer(416) }
        let part = Data(fileContent[start...])
        var head =
            "HTTP/1.1 \(start > 0 ? 206 : 200) Status\r\nETag: \(etag)\r\nContent-Length: \(part.count)\r\n"
        if start > 0 {
            head += "Content-Range: bytes \(start)-\(fileContent.count - 1)/\(fileContent.count)\r\n"
        }
        connection.send(head + "\r\n")
        if request.query.hasPrefix("cut="), let count = Int(request.query.dropFirst(4)), start == 0 {
            return connection.sendLast(part.prefix(count))
        }
        return connection.send(part)
    }

    /// `hello gzip`, compressed by zlib.
    static let gzip = Data([
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0x48,
        0xaf, 0xca, 0x2c, 0x00, 0x00, 0x19, 0x6a, 0xd2, 0xdf, 0x0a, 0x00, 0x00, 0x00,
    ])
}
