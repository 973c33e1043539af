import APIService
import APITransport
import Foundation
import Loopback

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Checks that need a process of their own, because they measure the process or stall it. Their exchanges may still be
/// running afterwards, so the process must then exit.
extension APIClientConformance {
    /// The checks for a process of their own.
    public static let isolated: [Check] = [
        stall("within a chunk extension", "\(chunked)1;", "extension=value;"),
        stall("within the trailer fields", "\(chunked)0\r\n", "X-Trailer: value\r\n", buffer: 1 << 18),
        memory("a compressed body", "\(ok)Content-Encoding: gzip\r\n\r\n", Zeros.start, Zeros.more),
        memory("a body of one-byte chunks", chunked, Data(), repeating("1\r\na\r\n", 10_000)),
        memory(
            "an event stream of comments",
            "\(ok)Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n", Data(),
            repeating("2\r\n:\n\r\n", 10_000)),
    ]

    private static let ok = "HTTP/1.1 200 OK\r\n"
    private static let chunked = "\(ok)Transfer-Encoding: chunked\r\n\r\n"

    private static func repeating(_ text: String, _ count: Int) -> Data {
        Data(String(repeating: text, count: count).utf8)
    }

    private struct Plain: APIRequest {
        typealias Response = Data
        let baseURL: URL
        let path = ""
        var timeout: Duration?
    }

    // MARK: Time

    /// Checks that limits and cancellation work while a client reads a response without an end.
    ///
    /// - Parameter buffer: The number of bytes that the client receives before the other requests start.
    private static func stall(
        _ place: String, _ start: String, _ more: String, buffer: Int = 32 << 20
    ) -> Check {
        Check(
            "requests end at their limits or when they are cancelled, while a response does not end \(place)"
        ) {
            client, front in
            let ready = AsyncStream<Never>.makeStream()
            let server = try LoopbackServer(front: front) { _, connection in
                connection.send(start)
                // Large pieces, so that the server is faster than the client.
                let piece = repeating(more, buffer / 64)
                var sent = 0
                while connection.send(piece) {
                    sent += piece.count
                    if sent > buffer { ready.continuation.finish() }
                }
                return false
            }
            let other = try LoopbackServer.faulty(front: front)
            // A client's process may end when one of these responses does.
            kept.update { $0 += [server, other] }
            let service = APIService(client: client, config: .forTests())
            Task {
                _ = await service.response(to: Plain(baseURL: server.url("/")))
                ready.continuation.finish()
            }
            for await _ in ready.stream {}
            let cancelled = (0..<100).map { _ in
                Task { await service.response(to: Plain(baseURL: other.url("/hang"))).result.error }
            }
            let timedOut = (0..<100).map { number in
                let request = Plain(baseURL: other.url("/hang"), timeout: .milliseconds(100 + number))
                return Task { await service.response(to: request).result.error }
            }
            for task in timedOut {
                let error = await task.value
                try expect(error == .timedOut, "\(String(describing: error))")
            }
            #if os(Linux)
            let threads = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
            let allowed = 14 + ProcessInfo.processInfo.activeProcessorCount + other.requests.count
            try expect(threads <= allowed, "\(threads) threads, \(allowed) allowed")
            #endif
            for task in cancelled { task.cancel() }
            for task in cancelled {
                let error = await task.value
                try expect(error == .cancelled, "\(String(describing: error))")
            }
        }
    }

    private static let kept = Recorded<[LoopbackServer]>([])

    // MARK: Memory

    /// Checks that memory grows by little more than the service's limit.
    private static func memory(_ body: String, _ head: String, _ start: Data, _ more: Data) -> Check {
        Check("\(body) takes no more memory than the service's limit and 64 MB") { client, front in
            let over = AsyncStream<Never>.makeStream()
            let server = try LoopbackServer(front: front) { _, connection in
                connection.send(Data(head.utf8) + start)
                for _ in 0..<100 where connection.send(more) {}
                over.continuation.finish()
                return false
            }
            let limit = 8 << 20
            let before = try peak()
            if head.contains("event-stream") {
                let _: APITransportError? = await withCheckedContinuation { waiter in
                    client.createStreamRequest(
                        request: request(server.url("/")), upload: nil, progressHandler: nil
                    ) { if case .end(let error) = $0 { waiter.resume(returning: error) } }.resume()
                }
            } else {
                let service = APIService(client: client, config: .forTests { $0.responseLimit = limit })
                _ = await service.response(to: Plain(baseURL: server.url("/")))
            }
            // The rest of a refused body must not pile up either.
            for await _ in over.stream {}
            let growth = try peak() - before
            try expect(growth < limit + 64 << 20, "memory grew by \(growth >> 20) MB")
        }
    }

    /// Returns the most memory that this process has used, in bytes; 0 if the platform does not tell.
    private static func peak() throws -> Int {
        #if os(Linux)
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return (status.firstMatch(of: /VmHWM:\s*([0-9]+)/).flatMap { Int($0.1) } ?? 0) << 10
        #else
        return 0
        #endif
    }

    /// A gzip body of zeros, 158 times as long when it is decompressed.
    private enum Zeros {
        /// The header, a block with fixed codes, a zero, and a match (RFC 1952, 2.3, and RFC 1951, 3.2.6).
        static let start = Data([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0x62, 0x18, 0x05])
        /// Matches, each of which repeats the zero 258 times. Eight of them take 13 bytes.
        static let more = Data(repeatElement(matches, count: 10_000).joined())
        private static let matches: [UInt8] = [
            0xa3, 0x60, 0x14, 0x8c, 0x82, 0x51, 0x30, 0x0a, 0x46, 0xc1, 0x28, 0x18, 0x05,
        ]
    }
}
