import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Correct responses with a few random changes, for testing that no response ends the process of a client.
///
/// The same seed and number give the same response on every machine with the same version of Swift.
public struct MutatedResponses: Sendable {
    /// The seed of the changes.
    public let seed: UInt64

    /// Creates the responses of a seed.
    public init(seed: UInt64) { self.seed = seed }

    /// Returns the response with this number.
    public subscript(number: Int) -> Data {
        var random = Generator(state: seed &+ UInt64(number) &* 0xd134_2543_de82_ef95)
        var bytes = Self.correct[number % Self.correct.count]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let start = Int.random(in: 0...bytes.count, using: &random)
            let end = min(start + Int.random(in: 1...12, using: &random), bytes.count)
            switch Int.random(in: 0..<7, using: &random) {
            case 0: bytes.removeSubrange(start...)
            case 1: bytes.removeSubrange(start..<end)
            case 2: bytes.insert(contentsOf: bytes[start..<end], at: start)
            case 3 where start < end: bytes[start] = .random(in: 0...255, using: &random)
            case 4:
                // Replaces a number.
                guard let digit = bytes[start...].firstIndex(where: Self.isDigit) else { continue }
                let rest = bytes[digit...].prefix(while: Self.isDigit)
                bytes.replaceSubrange(rest.indices, with: Self.pick(Self.numbers, &random))
            case 5:
                // Replaces the status.
                guard let space = bytes.firstIndex(of: UInt8(ascii: " ")) else { continue }
                let rest = bytes[(space + 1)...].prefix(while: Self.isDigit)
                bytes.replaceSubrange(rest.indices, with: Self.pick(Self.numbers, &random))
            default: bytes.insert(contentsOf: Self.pick(Self.words, &random), at: start)
            }
        }
        return Data(bytes)
    }

    /// Sends a request to a server for each of the responses, and waits until it ends. The request's time limit is two
    /// seconds; the server closes each connection after its response.
    ///
    /// - Parameters:
    ///   - client: The client. A second completion crashes the process.
    ///   - numbers: The numbers of the responses.
    ///   - begin: Called before each request with the response's number.
    /// - Throws: `POSIXError` if the server cannot listen.
    public func send(
        to client: any APIStreamingClient, numbers: Range<Int>, begin: (Int) throws -> Void
    ) async throws {
        let current = Recorded(numbers.lowerBound)
        let server = try LoopbackServer(keepsRequests: false) { _, connection in
            connection.sendLast(self[current.value])
        }
        for number in numbers {
            try begin(number)
            current.update { $0 = number }
            var request = URLRequest(url: server.url("/"))
            request.timeoutInterval = 2
            let _: APIDataResponse = await withCheckedContinuation { [request] waiter in
                client.createDataRequest(request: request, progressHandler: nil) {
                    waiter.resume(returning: $0)
                }
                .resume()
            }
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func pick(_ words: [String], _ random: inout Generator) -> [UInt8] {
        Array(words[Int.random(in: 0..<words.count, using: &random)].utf8)
    }

    private static let numbers = [
        "0", "1", "-1", "00", "000", "099", "100", "101", "204", "304", "302", "65536", "999", "1000",
        "4294967296",
        "9223372036854775807", "9223372036854775808", "18446744073709551615", "99999999999999999999",
    ]

    private static let words = [
        "\r\n", "\n", "\r", "\0", ":", " ", ",", ";", "\t", "\u{7f}", "é", "0\r\n", "\r\n\r\n",
        "HTTP/1.1 200 OK\r\n",
        "Content-Length: 3\r\n", "Transfer-Encoding: chunked\r\n", "Content-Encoding: gzip\r\n", "X: y\r\n",
        "Location: /\r\n", "Location: //[::1]:1/\r\n", "Connection: close\r\n", "Set-Cookie: a=b\r\n",
    ]

    private static let correct =
        [
            "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\none \r\n3\r\ntwo\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n3\r\nabc\r\n0\r\nX-Sum: 1\r\n\r\n",
            "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
            "HTTP/1.1 204 No Content\r\nETag: \"1\"\r\n\r\n",
            "HTTP/1.1 304 Not Modified\r\nCache-Control: max-age=60\r\nAge: 5\r\n\r\n",
            "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 4\r\n\r\nnext",
            "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"a\"\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-4/10\r\nContent-Length: 5\r\n\r\nhello",
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 1\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.0 200 OK\r\nSet-Cookie: a=b; Max-Age=60; Path=/\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\n\r\nbody",
        ].map { Array($0.utf8) } + [
            Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 30\r\n\r\n".utf8)
                + LoopbackServer.gzip
        ]

    /// SplitMix64.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9e37_79b9_7f4a_7c15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
            return mixed ^ (mixed >> 31)
        }
    }
}
