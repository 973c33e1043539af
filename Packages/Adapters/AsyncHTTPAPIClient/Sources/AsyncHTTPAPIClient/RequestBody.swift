import APIService
import AsyncHTTPClient
import Foundation
import NIOCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of a request, as often as it must be sent.
enum RequestBody: Sendable {
    case none
    case data(Data)
    case file(URL, size: Int64)

    /// - Throws: What asking for a file's size throws.
    init(_ request: URLRequest, _ upload: APIUpload?) throws {
        switch upload {
        case .data(let data): self = .data(data)
        case .file(let file):
            guard let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? NSNumber
            else {
                throw CocoaError(.fileReadUnknown)
            }
            self = .file(file, size: size.int64Value)
        case nil: self = request.httpBody.map { .data($0) } ?? .none
        }
    }

    /// The body for one attempt. What is longer than a piece goes in pieces, each of which shows that something
    /// moves.
    func outgoing(_ progressHandler: APIProgressHandler?, _ limit: SilenceLimit) -> HTTPClientRequest.Body? {
        switch self {
        case .none: nil
        case .data(let data) where progressHandler == nil && data.count <= Pieces.size:
            .bytes(ByteBuffer(bytes: data))
        case .data(let data):
            .stream(
                Pieces(source: .data(data), total: Int64(data.count), progressHandler, limit),
                length: .known(Int64(data.count)))
        case .file(let file, let size):
            .stream(
                Pieces(source: .file(file), total: size, progressHandler, limit),
                length: .known(size))
        }
    }
}

/// A body in pieces, each told to a progress handler when it is asked for.
private struct Pieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    static let size = 64 << 10

    let source: APIUpload
    let total: Int64
    private let told: @Sendable (Int64) -> Void

    init(
        source: APIUpload, total: Int64, _ progressHandler: APIProgressHandler?, _ limit: SilenceLimit
    ) {
        (self.source, self.total) = (source, total)
        told = { sent in
            limit.outside { progressHandler?(APIProgress(.upload, completed: sent, total: total)) }
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(source: source, total: total, told: told) }

    struct Iterator: AsyncIteratorProtocol {
        let source: APIUpload
        let total: Int64
        let told: @Sendable (Int64) -> Void
        private var sent: Int64 = 0
        private var handle: FileHandle?

        init(source: APIUpload, total: Int64, told: @escaping @Sendable (Int64) -> Void) {
            (self.source, self.total, self.told) = (source, total, told)
        }

        /// A file that has become longer is read to the length that was declared.
        mutating func next() async throws -> ByteBuffer? {
            let count = Int(Swift.min(total - sent, Int64(Pieces.size)))
            guard count > 0 else { return nil }
            let piece: Data
            switch source {
            case .data(let data): piece = data.dropFirst(Int(sent)).prefix(count)
            case .file(let file):
                let open = try handle ?? FileHandle(forReadingFrom: file)
                handle = open
                piece = try open.read(upToCount: count) ?? Data()
            }
            guard !piece.isEmpty else { return nil }
            sent += Int64(piece.count)
            told(sent)
            return ByteBuffer(bytes: piece)
        }
    }
}
