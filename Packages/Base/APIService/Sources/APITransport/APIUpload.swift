import Foundation

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
    ///     must begin with the first byte each time.
    public static func stream<Pieces: AsyncSequence & Sendable>(
        length: Int64? = nil, _ pieces: @escaping @Sendable () -> Pieces
    ) -> APIUpload where Pieces.Element == Data {
        // The throwing closure changes the sequence's `Failure` to `any Error`.
        .pieces(length: length) { pieces().map { (piece: Data) async throws in piece } }
    }

    /// Returns the number of bytes in the body; `nil` if the number is unknown.
    ///
    /// - Throws: A Cocoa error if the size of a file cannot be read.
    public func length() throws -> Int64? {
        switch self {
        case .data(let data): return Int64(data.count)
        case .pieces(let length, _): return length
        case .file(let file):
            let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
            return size?.int64Value
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
