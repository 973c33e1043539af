import APIService
import AsyncHTTPClient
import Foundation
import NIOCore

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The body of a request, which can be sent several times for retries and redirects.
enum RequestBody: Sendable {
    case none
    case data(Data)
    case file(URL, size: Int64)

    /// - Throws: A Cocoa error if the size of the file cannot be read.
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

    /// Returns the body for one attempt. A file, a body longer than one piece and a body whose progress is
    /// reported are streamed in pieces, each of which counts as activity for the silence limit.
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

/// A body in pieces. The progress handler is called whenever the transport asks for a piece.
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

        /// Returns the next piece. Bytes of a file beyond its declared size are not read.
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
