import APITransport
import AsyncHTTPClient
import Foundation
import NIOCore

extension APIUpload {
    /// A body of at most this many bytes is sent in one piece.
    private static let size = 64 << 10

    /// Returns the body for one attempt. A file, a body longer than one piece and a body whose progress is
    /// reported are sent in pieces. Each piece counts as activity for the silence limit.
    func outgoing(
        _ progressHandler: APIProgressHandler?, _ limit: SilenceLimit
    ) throws -> HTTPClientRequest.Body {
        if progressHandler == nil, case .data(let data) = self, data.count <= Self.size {
            return .bytes(ByteBuffer(bytes: data))
        }
        let length: Int64?
        do { length = try self.length() } catch { throw LocalError(underlying: error) }
        func stream(_ pieces: some AsyncSequence<Data, any Error> & Sendable) -> HTTPClientRequest.Body {
            .stream(
                OutgoingPieces(
                    pieces: pieces, length: length, progressHandler: progressHandler, limit: limit),
                length: length.map { .known($0) } ?? .unknown)
        }
        return stream(pieces())
    }
}

/// An error that sending the request again would not fix: the app cannot provide the body, or the URL is invalid.
struct LocalError: Error {
    let underlying: any Error
}

/// A body in pieces. The progress handler is called whenever the transport asks for a piece. The time that the app
/// takes to produce a piece does not count as the server's silence.
private struct OutgoingPieces<Pieces: AsyncSequence<Data, any Error> & Sendable>: AsyncSequence, Sendable {
    let pieces: Pieces
    let length: Int64?
    let progressHandler: APIProgressHandler?
    let limit: SilenceLimit

    func makeAsyncIterator() -> Iterator { Iterator(body: self, pieces: pieces.makeAsyncIterator()) }

    struct Iterator: AsyncIteratorProtocol {
        let body: OutgoingPieces
        var pieces: Pieces.AsyncIterator
        var sent: Int64 = 0

        mutating func next() async throws -> ByteBuffer? {
            body.limit.pause()
            defer { body.limit.moved() }
            do {
                guard let piece = try await pieces.next() else { return nil }
                sent += Int64(piece.count)
                body.progressHandler?(APIProgress(.upload, completed: sent, total: body.length))
                return ByteBuffer(bytes: piece)
            } catch {
                throw LocalError(underlying: error)
            }
        }
    }
}
