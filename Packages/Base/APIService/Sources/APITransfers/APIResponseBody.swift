import APIService
import APITransport
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension APIService {
    /// Sends a request and returns its response as soon as the head has arrived, with the body as a sequence.
    ///
    /// The request is built and adapted like any other, but sent only once: it is neither cached nor retried, and no
    /// token is refreshed. Leaving the loop over the body, or cancelling its task, ends the exchange. There is no
    /// overall time limit.
    ///
    /// - Parameters:
    ///   - request: The request to send.
    ///   - plugins: Plugins that prepare the request.
    /// - Throws: The ``APIError`` of a request that could not be built or sent, or whose status is not acceptable
    ///   (the error then has no body).
    public func body<T: APIRequest>(
        of request: T, plugins: [any APIPlugin] = []
    ) async throws(APIError) -> APIResponseBody {
        let settings = config.settings
        do {
            let journal = Journal(clock: settings.clock)
            let built = try RequestBuilder(
                request: request, plugins: plugins, encoding: nil, settings: settings, journal: journal
            ).build().urlRequest
            guard let client = client as? any APIStreamingClient else {
                throw APIError.requestError(.unsupported("\(type(of: client)) cannot stream"))
            }
            let adapted = try await settings.ready(built)
            let (stream, continuation) = AsyncThrowingStream<APIStreamEvent, any Error>.makeStream()
            let pieces = PieceBuffer(continuation, limit: settings.responseLimit ?? .max)
            pieces.start(
                client.createStreamRequest(
                    request: adapted, upload: nil, progressHandler: nil, eventHandler: { pieces.take($0) }))
            var events = stream.makeAsyncIterator()
            guard case .head(let head) = try await events.next() else {
                try Task.checkCancellation()
                throw APIError.connectionError(MissingHead())
            }
            guard request.acceptableStatusCodes.contains(head.statusCode) else {
                throw APIError.responseError(
                    .unacceptableStatus(APIStatusFailure(statusCode: head.statusCode)))
            }
            return APIResponseBody(response: head, pieces: pieces, events: stream)
        } catch {
            throw settings.diagnosed(APIError(building: error))
        }
    }
}

/// The body of a response, delivered in pieces as they arrive. The body can be read only once. Reading may throw an
/// `APIError`.
///
/// `APISettings.responseLimit` limits the size of the unread pieces and, separately, of an incomplete line. If more
/// bytes arrive, reading throws `APIResponseError.tooLarge`.
public struct APIResponseBody: AsyncSequence, Sendable {
    /// A piece of the body.
    public typealias Element = Data

    /// The response's head.
    public let response: HTTPURLResponse
    fileprivate let pieces: PieceBuffer
    /// Held only by the body and its iterators, so that the exchange ends when they are released.
    fileprivate let events: AsyncThrowingStream<APIStreamEvent, any Error>

    /// The body as individual bytes.
    public var bytes: Bytes { Bytes(body: self) }

    /// The lines of the body as UTF-8, without the trailing LF or CR LF.
    public var lines: Lines { Lines(body: self) }

    /// Iterates over the pieces.
    public func makeAsyncIterator() -> Iterator {
        Iterator(pieces: pieces, events: events.makeAsyncIterator())
    }

    /// Iterates over the pieces.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let pieces: PieceBuffer
        fileprivate var events: AsyncThrowingStream<APIStreamEvent, any Error>.Iterator

        /// Returns the next piece; `nil` at the end of the body.
        public mutating func next() async throws -> Data? {
            while let event = try await events.next() {
                guard case .piece(let piece) = event else { continue }
                pieces.remove(piece)
                return piece
            }
            return nil
        }
    }

    /// The bytes of a body.
    public struct Bytes: AsyncSequence, Sendable {
        fileprivate let body: APIResponseBody

        /// Iterates over the bytes.
        public func makeAsyncIterator() -> Iterator { Iterator(pieces: body.makeAsyncIterator()) }

        /// Iterates over the bytes.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var pieces: APIResponseBody.Iterator
            private var piece = Data().makeIterator()

            fileprivate init(pieces: APIResponseBody.Iterator) { self.pieces = pieces }

            /// Returns the next byte; `nil` at the end of the body.
            public mutating func next() async throws -> UInt8? {
                while true {
                    if let byte = piece.next() { return byte }
                    guard let next = try await pieces.next() else { return nil }
                    piece = next.makeIterator()
                }
            }
        }
    }

    /// The lines of a body.
    public struct Lines: AsyncSequence, Sendable {
        fileprivate let body: APIResponseBody

        /// Iterates over the lines.
        public func makeAsyncIterator() -> Iterator { Iterator(pieces: body.makeAsyncIterator()) }

        /// Iterates over the lines.
        public struct Iterator: AsyncIteratorProtocol {
            fileprivate var pieces: APIResponseBody.Iterator
            private var rest = Data()
            /// The number of bytes in `rest` that are known to contain no line feed.
            private var searched = 0

            fileprivate init(pieces: APIResponseBody.Iterator) { self.pieces = pieces }

            /// Returns the next line; `nil` at the end of the body. The last line need not end with a line
            /// feed.
            public mutating func next() async throws -> String? {
                while true {
                    if let end = rest.dropFirst(searched).firstIndex(of: UInt8(ascii: "\n")) {
                        let line = rest[..<end]
                        (rest, searched) = (rest[(end + 1)...], 0)
                        return text(line)
                    }
                    searched = rest.count
                    guard let piece = try await pieces.next() else {
                        defer { (rest, searched) = (Data(), 0) }
                        return rest.isEmpty ? nil : text(rest)
                    }
                    rest = rest + piece
                    guard rest.count <= pieces.pieces.limit else {
                        throw APIError.responseError(.tooLarge(pieces.pieces.limit))
                    }
                }
            }

            private func text(_ line: Data) -> String {
                String(decoding: line.last == UInt8(ascii: "\r") ? line.dropLast() : line, as: UTF8.self)
            }
        }
    }
}

/// Buffers the events of an exchange until they are read.
///
/// All operations are thread-safe.
private final class PieceBuffer: Sendable {
    typealias Continuation = AsyncThrowingStream<APIStreamEvent, any Error>.Continuation

    let limit: Int
    private let continuation: Continuation
    /// The number of buffered bytes.
    private let waiting = Locked(0)

    init(_ continuation: Continuation, limit: Int) { (self.continuation, self.limit) = (continuation, limit) }

    /// Starts the exchange, which is cancelled when its events can no longer be read.
    func start(_ task: any APIRequestTask) {
        continuation.onTermination = { _ in task.cancel() }
        task.resume()
    }

    func take(_ event: APIStreamEvent) {
        switch event {
        case .head: continuation.yield(event)
        case .piece(let piece):
            let waits = waiting.withLock { waiting in
                waiting += piece.count
                return waiting
            }
            guard waits <= limit else {
                return continuation.finish(throwing: APIError.responseError(.tooLarge(limit)))
            }
            continuation.yield(event)
        case .end(nil): continuation.finish()
        case .end(let error?):
            do throws(APIError) {
                try Result<Void, APITransportError>.failure(error).value
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    func remove(_ piece: Data) { waiting.withLock { $0 -= piece.count } }
}
