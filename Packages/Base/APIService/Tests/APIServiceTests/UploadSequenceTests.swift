import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APITransport

@Suite("Uploads of sequences that are read several times", .waitLimit)
struct UploadSequenceTests {
    private func read(_ upload: APIUpload, pieces count: Int = .max) async throws -> Data {
        var data = Data()
        var pieces = 0
        for try await piece in upload.pieces() {
            data += piece
            pieces += 1
            if pieces == count { break }
        }
        return data
    }

    /// A body whose pieces have different sizes at each call.
    private func upload(_ bodies: [String], sizes: [Int] = [3, 5, 1, 100]) -> APIUpload {
        let calls = Recorded(0)
        return .stream {
            let number = calls.next() - 1
            let (body, size) = (bodies[min(number, bodies.count - 1)], sizes[number % sizes.count])
            return AsyncStream { continuation in
                var rest = Data(body.utf8)
                while !rest.isEmpty {
                    continuation.yield(Data(rest.prefix(size)))
                    rest = Data(rest.dropFirst(size))
                }
                continuation.finish()
            }
        }
    }

    @Test("The same body may be read again in other pieces, after it was read in part or completely")
    func same() async throws {
        let body = upload(["the same bytes"])
        for pieces in [1, 2, 1, .max, 1] { _ = try await read(body, pieces: pieces) }
        for _ in 1...4 { #expect(try await read(body) == Data("the same bytes".utf8)) }
    }

    @Test(
        "A body that begins differently, or ends too early, is an error",
        arguments: [(2, ""), (2, "one b"), (2, "bytes are left"), (.max, "one byte"), (.max, "one bytez")])
    func changed(pieces: Int, second: String) async throws {
        let body = upload(["one bytes", second])
        _ = try await read(body, pieces: pieces)
        await #expect(throws: APIUploadChanged.self) { try await read(body) }
    }

    @Test(
        "A body that continues where the first attempt stopped is an error, even if it is longer than that attempt"
    )
    func continued() async throws {
        let once = AsyncStream { continuation in
            for number in UInt8(0)..<30 { continuation.yield(Data([number, number])) }
            continuation.finish()
        }
        let body = APIUpload.stream { once }
        _ = try await read(body, pieces: 3)
        await #expect(throws: APIUploadChanged.self) { try await read(body) }
    }
}
