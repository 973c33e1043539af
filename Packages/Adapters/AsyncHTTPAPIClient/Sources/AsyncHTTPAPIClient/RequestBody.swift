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

    func outgoing(_ progressHandler: APIProgressHandler?) -> HTTPClientRequest.Body? {
        switch self {
        case .none: nil
        case .data(let data) where progressHandler == nil: .bytes(ByteBuffer(bytes: data))
        case .data(let data):
            .stream(
                Pieces(source: .data(data), total: Int64(data.count), progressHandler: progressHandler),
                length: .known(Int64(data.count)))
        case .file(let file, let size):
            .stream(
                Pieces(source: .file(file), total: size, progressHandler: progressHandler),
                length: .known(size))
        }
    }
}

/// A body in pieces of 64 KiB, each told to a progress handler when it is asked for.
private struct Pieces: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    let source: APIUpload
    let total: Int64
    let progressHandler: APIProgressHandler?

    func makeAsyncIterator() -> Iterator {
        Iterator(source: source, total: total, progressHandler: progressHandler)
    }

    struct Iterator: AsyncIteratorProtocol {
        let source: APIUpload
        let total: Int64
        let progressHandler: APIProgressHandler?
        private var sent: Int64 = 0
        private var handle: FileHandle?

        init(source: APIUpload, total: Int64, progressHandler: APIProgressHandler?) {
            (self.source, self.total, self.progressHandler) = (source, total, progressHandler)
        }

        /// A file that has become longer is read to the length that was declared.
        mutating func next() async throws -> ByteBuffer? {
            let count = Int(Swift.min(total - sent, 64 << 10))
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
            progressHandler?(APIProgress(.upload, completed: sent, total: total))
            return ByteBuffer(bytes: piece)
        }
    }
}
