import Foundation
import Locking

/// The body of an upload.
public enum APIUpload: Sendable {
    /// Bytes in memory.
    case data(Data)
    /// A file, which must not change until it has been sent.
    case file(URL)
    /// Chunks of data, in a sequence that the closure creates for each attempt. `length` is the total number of bytes;
    /// `nil` if it is unknown. See ``stream(length:_:)``.
    case pieces(
        length: Int64?, @Sendable () -> any AsyncSequence<Data, any Error> & Sendable)

    /// Creates a body from a sequence of pieces, for example from the body of another response.
    ///
    /// `AsyncHTTPAPIClient` sends each piece as it arrives, and asks for the next piece as soon as the connection has
    /// accepted the previous one. ``URLSessionAPIClient`` writes the sequence to a temporary file, and uploads that
    /// file. An error that the sequence throws is reported as ``APITransportError/local(_:)``, which is not retried.
    ///
    /// - Parameters:
    ///   - length: The total number of bytes; `nil` if it is unknown.
    ///   - pieces: Creates the sequence. Called for each attempt and each redirect that keeps the body, so the sequence
    ///     must begin with the first byte each time. Otherwise, for example because two calls return the same
    ///     `AsyncStream`, the request fails with ``APIUploadChanged``.
    public static func stream<Pieces: AsyncSequence & Sendable>(
        length: Int64? = nil, _ pieces: @escaping @Sendable () -> Pieces
    ) -> APIUpload where Pieces.Element == Data {
        let longest = LongestStart()
        return .pieces(length: length) { RepeatedPieces(pieces: pieces(), longest: longest) }
    }

    /// Returns the number of bytes in the body; `nil` if the number is unknown.
    ///
    /// - Throws: A Cocoa error if the size of a file cannot be read, or if the file is a folder.
    public func length() throws -> Int64? {
        switch self {
        case .data(let data): return Int64(data.count)
        case .pieces(let length, _): return length
        case .file(let file):
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType != .typeDirectory else {
                throw CocoaError(.fileReadUnknown, userInfo: [NSFilePathErrorKey: file.path])
            }
            return (attributes[.size] as? NSNumber)?.int64Value
        }
    }

    /// Returns the body in pieces, from its beginning.
    public func pieces() -> any AsyncSequence<Data, any Error> & Sendable {
        switch self {
        case .data(let data): StoredPieces { offset in data.dropFirst(offset).prefix(StoredPieces.size) }
        case .file(let file):
            StoredPieces { offset in
                let handle = try FileHandle(forReadingFrom: file)
                defer { try? handle.close() }
                try handle.seek(toOffset: UInt64(offset))
                return try handle.read(upToCount: StoredPieces.size) ?? Data()
            }
        case .pieces(_, let pieces): pieces()
        }
    }

    /// Writes the body to a temporary file, which the caller removes.
    func written(to file: URL) async throws {
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        for try await piece in pieces() { try handle.write(contentsOf: piece) }
        try Task.checkCancellation()
    }
}

/// The pieces of a body in memory or in a file.
private struct StoredPieces: AsyncSequence, Sendable {
    static let size = 64 << 10

    /// Returns the piece at an offset; empty at the end.
    let piece: @Sendable (Int) throws -> Data

    func makeAsyncIterator() -> Iterator { Iterator(piece: piece) }

    struct Iterator: AsyncIteratorProtocol {
        let piece: @Sendable (Int) throws -> Data
        var offset = 0

        mutating func next() async throws -> Data? {
            let piece = try piece(offset)
            offset += piece.count
            return piece.isEmpty ? nil : piece
        }
    }
}

/// A body was sent a second time, but its sequence did not begin with the same bytes. See
/// ``APIUpload/stream(length:_:)``.
public struct APIUploadChanged: Error, Sendable, CustomStringConvertible {
    /// The error and how to fix it.
    public var description: String {
        "the body's sequence cannot be read a second time, for a redirect or another attempt: its bytes changed. "
            + "Return a new sequence at each call, or upload a file"
    }
}

/// The first bytes of a body.
private struct BodyStart {
    private var hasher = Hasher()
    private(set) var count = 0

    mutating func append(_ bytes: Data) {
        unsafe bytes.withUnsafeBytes { unsafe hasher.combine(bytes: $0) }
        count += bytes.count
    }

    var digest: Int { hasher.finalize() }
}

/// The longest part of a body that was read so far.
private final class LongestStart: Sendable {
    let start = Locked(BodyStart())
}

/// The pieces of a body that may be sent several times. Throws an error if the body does not begin as it did before.
private struct RepeatedPieces<Pieces: AsyncSequence & Sendable>: AsyncSequence, Sendable
where Pieces.Element == Data {
    let pieces: Pieces
    let longest: LongestStart

    func makeAsyncIterator() -> Iterator {
        Iterator(pieces: pieces.makeAsyncIterator(), earlier: longest.start.withLock { $0 }, longest: longest)
    }

    struct Iterator: AsyncIteratorProtocol {
        var pieces: Pieces.AsyncIterator
        let earlier: BodyStart
        let longest: LongestStart
        var read = BodyStart()

        mutating func next() async throws -> Data? {
            guard let piece = try await pieces.next() else {
                if read.count < earlier.count { throw APIUploadChanged() }
                return nil
            }
            let repeated = piece.prefix(Swift.max(earlier.count - read.count, 0))
            read.append(repeated)
            if !repeated.isEmpty, read.count == earlier.count, read.digest != earlier.digest {
                throw APIUploadChanged()
            }
            read.append(piece.dropFirst(repeated.count))
            longest.start.withLock { if read.count > $0.count { $0 = read } }
            return piece
        }
    }
}
