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
    /// Returns the checks for a process of their own.
    ///
    /// - Parameter smallPieces: The number of bytes by which the memory of the process may grow while a body of a million
    ///   small pieces arrives. By default, as for any other body, the service's limit and 64 MiB.
    public static func isolated(smallPieces: Int = allowed) -> [Check] {
        [
            stall("within a chunk extension", "\(chunked)1;", "extension=value;"),
            stall(
                "within the trailer fields", "\(chunked)0\r\n", "X-Trailer: value\r\n", buffer: 1 << 18,
                isOverWhenCancelled: false),
            manyFields,
            memory(
                "a compressed body", allowed, "\(ok)Content-Encoding: gzip\r\n\r\n", Zeros.more,
                after: Zeros.start
            ) {
                let error = await limited($0).response(to: Plain(baseURL: $1)).result.error
                try expect(error == .responseError(.tooLarge(limit)), "\(String(describing: error))")
            },
            memory("a body of one-byte chunks", smallPieces, chunked, repeating("1\r\na\r\n", 10_000)) {
                let body = await limited($0).response(to: Plain(baseURL: $1)).result
                try expect(body.value?.count == 1_000_000, "\(body)")
            },
            memory(
                "an event stream of comments", smallPieces,
                "\(ok)Content-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n",
                repeating("2\r\n:\n\r\n", 10_000)
            ) { client, url in
                let count = Recorded(0)
                let error: APITransportError? = await withCheckedContinuation { waiter in
                    client.createStreamRequest(
                        request: request(url), upload: nil, progressHandler: nil
                    ) { event in
                        if case .piece(let piece) = event { count.update { $0 += piece.count } }
                        if case .end(let error) = event { waiter.resume(returning: error) }
                    }.resume()
                }
                try expect(
                    error == nil && count.value == 2_000_000,
                    "\(count.value) bytes, \(String(describing: error))")
            },
        ]
    }

    private static let limit = 8 << 20
    /// The number of bytes by which the memory of the process may grow.
    public static let allowed = limit + 64 << 20
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

    private static func limited(_ client: any APIClient) -> APIService {
        APIService(client: client, config: .forTests { $0.responseLimit = limit })
    }

    // MARK: Time

    /// Checks that limits and cancellation work while a client reads a response without an end, unless the client refuses
    /// the response.
    ///
    /// - Parameters:
    ///   - buffer: The number of bytes that the client receives before the other requests start.
    ///   - isOverWhenCancelled: Whether the client must send other requests once the endless one is cancelled.
    private static func stall(
        _ place: String, _ start: String, _ more: String, buffer: Int = 32 << 20,
        isOverWhenCancelled: Bool = true
    ) -> Check {
        Check(
            "requests end at their limits or when they are cancelled, while a response does not end \(place)"
        ) {
            client, front in
            let isUnderWay = AsyncStream<Never>.makeStream()
            let server = try LoopbackServer(front: front) { _, connection in
                connection.send(start)
                // Large pieces, so that the server is faster than the client.
                let piece = repeating(more, buffer / 64)
                var sent = 0
                while connection.send(piece) {
                    sent += piece.count
                    if sent > buffer { isUnderWay.continuation.finish() }
                }
                return false
            }
            // A client's process may end when this response does.
            kept.update { $0.append(server) }
            let outcome = Recorded<APIResult<Data>?>(nil)
            let endless = Task {
                let result = await limited(client).response(to: Plain(baseURL: server.url("/"))).result
                outcome.update { $0 = result }
                isUnderWay.continuation.finish()
            }
            for await _ in isUnderWay.stream {}
            try await expectEnds(client, front)
            // A response that has ended has checked nothing, unless the client refuses it.
            if let result = outcome.value { try expect(isRefused(result), "the response ended: \(result)") }
            guard isOverWhenCancelled else { return }
            endless.cancel()
            let other = try LoopbackServer.faulty(front: front)
            kept.update { $0.append(other) }
            let request = Plain(baseURL: other.url("/echo"), timeout: .seconds(60))
            let next = await limited(client).response(to: request).result
            try expect(next.value != nil, "the next request: \(next)")
        }
    }

    /// Checks that limits and cancellation work while a client reads a very large head.
    private static let manyFields = Check(
        "a head of 20,000 fields is read whole or refused, and meanwhile requests end at their limits or when they are cancelled"
    ) { client, front in
        let isUnderWay = AsyncStream<Never>.makeStream()
        let server = try LoopbackServer(front: front) { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n" + (1...20_000).map { "X-\($0): a\r\n" }.joined())
            isUnderWay.continuation.finish()
            return connection.send("Content-Length: 2\r\n\r\nok")
        }
        async let answer = service(client).response(to: Plain(baseURL: server.url("/")))
        for await _ in isUnderWay.stream {}
        try await expectEnds(client, front)
        let response = await answer
        let fields = response.response?.allHeaderFields.count ?? 0
        try expect(
            isRefused(response.result) || response.result.value == Data("ok".utf8) && fields > 20_000,
            "\(fields) fields, \(response.result)")
    }

    private static func isRefused(_ result: APIResult<Data>) -> Bool {
        if case .connectionError? = result.error { true } else { false }
    }

    /// Checks that 200 requests end at their limits or when they are cancelled, and that none of them needs a thread.
    private static func expectEnds(
        _ client: any APIStreamingClient, _ front: LoopbackServer.Front.Maker?
    ) async throws {
        let server = try LoopbackServer.faulty(front: front)
        kept.update { $0.append(server) }
        let service = limited(client)
        let cancelled = (0..<100).map { _ in
            Task { await service.response(to: Plain(baseURL: server.url("/hang"))).result.error }
        }
        let timedOut = (0..<100).map { number in
            let request = Plain(baseURL: server.url("/hang"), timeout: .milliseconds(100 + number))
            return Task { await service.response(to: request).result.error }
        }
        for task in timedOut {
            let error = await task.value
            try expect(error == .timedOut, "\(String(describing: error))")
        }
        #if os(Linux)
        let threads = try status(/Threads:\s*([0-9]+)/)
        let allowed = 14 + ProcessInfo.processInfo.activeProcessorCount + server.requests.count
        try expect(threads <= allowed, "\(threads) threads, \(allowed) allowed")
        #endif
        for task in cancelled { task.cancel() }
        for task in cancelled {
            let error = await task.value
            try expect(error == .cancelled, "\(String(describing: error))")
        }
    }

    private static let kept = Recorded<[LoopbackServer]>([])

    // MARK: Memory

    /// Checks that memory grows by a limited number of bytes while `receive` gets a body and checks the result.
    private static func memory(
        _ body: String, _ allowed: Int, _ head: String, _ more: Data, after start: Data = Data(),
        receive: @escaping @Sendable (any APIStreamingClient, URL) async throws -> Void
    ) -> Check {
        Check("\(body) takes at most \(allowed >> 20) MiB of memory") { client, front in
            let over = AsyncStream<Never>.makeStream()
            let server = try LoopbackServer(front: front) { _, connection in
                connection.send(Data(head.utf8) + start)
                for _ in 0..<100 where connection.send(more) {}
                defer { over.continuation.finish() }
                return connection.sendLast(head.contains("chunked") ? "0\r\n\r\n" : "")
            }
            let before = try peak()
            try await receive(client, server.url("/"))
            // The rest of a refused body must not pile up either.
            for await _ in over.stream {}
            let growth = try peak() - before
            try expect(growth <= allowed, "memory grew by \(growth >> 20) MiB")
        }
    }

    /// Returns the most memory that this process has used, in bytes; 0 if the platform does not tell.
    private static func peak() throws -> Int {
        #if os(Linux)
        return try status(/VmHWM:\s*([0-9]+)/) << 10
        #else
        return 0
        #endif
    }

    #if os(Linux)
    /// Returns a number of the state of this process; 0 if the state does not have it.
    private static func status(_ number: Regex<(Substring, Substring)>) throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return status.firstMatch(of: number).flatMap { Int($0.1) } ?? 0
    }
    #endif

    /// A gzip body of zeros, 158 times as long when it is decompressed.
    private enum Zeros {
        /// The header without flags and time, from an unknown system (RFC 1952, 2.3), and a block with fixed codes, a zero,
        /// and a match (RFC 1951, 3.2.6). In hexadecimal, because `Scripts/mutate` changes decimal numbers.
        static let start =
            Data([0x1f, 0x8b, 0x08, 0x00]) + Data(count: 5) + Data([0xff, 0x62, 0x18, 0x05])
        /// Matches, each of which repeats the zero 258 times. Eight of them take 13 bytes.
        static let more = Data(repeatElement(matches, count: 10_000).joined())
        private static let matches: [UInt8] = [
            0xa3, 0x60, 0x14, 0x8c, 0x82, 0x51, 0x30, 0x0a, 0x46, 0xc1, 0x28, 0x18, 0x05,
        ]
    }
}
