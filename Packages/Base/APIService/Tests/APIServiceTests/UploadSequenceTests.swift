import APIServiceTesting
import Foundation
import TestSupport
import Testing

@testable import APITransport

@Suite("The bodies of uploads, which are read in pieces and perhaps several times", .waitLimit)
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

    @Test(
        "A stored body is read completely, and a large one in several pieces",
        arguments: [0, 1, 65_536, 65_537, 200_000])
    func stored(count: Int) async throws {
        let body = Data((0..<count).map { UInt8($0 % 251) })
        let folder = try TemporaryFolder()
        try body.write(to: folder.file("body"))
        // The indices of a slice begin at 1.
        let slice = (Data([0]) + body).dropFirst()
        for upload in [APIUpload.data(body), .data(slice), .file(folder.file("body"))] {
            #expect(try await read(upload) == body)
            #expect(try upload.length() == Int64(count))
            if count > 65_536 { #expect(try await read(upload, pieces: 1).count < count) }
        }
    }

    @Test(
        "A file that is missing has neither pieces nor a length, a folder no length, and a sequence its own")
    func lengths() async throws {
        let folder = try TemporaryFolder()
        let missing = APIUpload.file(folder.file("none"))
        await #expect(throws: (any Error).self) { try await read(missing) }
        #expect(throws: CocoaError.self) { try missing.length() }
        #expect(throws: CocoaError.self) { try APIUpload.file(folder.url).length() }
        for length in [nil, 5] as [Int64?] {
            #expect(
                try APIUpload.stream(length: length) { AsyncStream<Data> { $0.finish() } }.length() == length)
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
        let body = upload(["one bytes", "one bytes", second])
        // The second attempt is shorter than the first, or the same.
        for count in [pieces, 1] { _ = try await read(body, pieces: count) }
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
