import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A streamed response whose body is written to a file, or kept in memory while no file is open.
package struct StreamedBody {
    package var head: HTTPURLResponse? { didSet { length = head?.expectedLength } }
    /// The length that the head declares for the body. It is read once, and not for each piece.
    private var length: Int64?
    package var handle: FileHandle?
    /// The size of the file before the body is appended.
    package var offset: Int64 = 0
    /// The number of body bytes written to the file.
    package private(set) var written: Int64 = 0
    /// The body of a response for which no file is opened.
    package private(set) var other = Data()
    /// The error of a failed write to the file, or an error of the body itself. After an error, further
    /// pieces are dropped.
    package var failure: (any Error)?
    /// The exchange, from its start to its end.
    private var task: (any APIRequestTask)?
    private var hasEnded = false
    private let limit: Int?
    private let fileLimit: Int?

    /// - Parameters:
    ///   - limit: The maximum size of a body in memory.
    ///   - fileLimit: The maximum size of the file.
    package init(limit: Int?, fileLimit: Int? = nil) { (self.limit, self.fileLimit) = (limit, fileLimit) }

    /// Holds an exchange that starts, unless it has already been cancelled. An exchange that never starts is not held: it
    /// holds the receiver of its events, which holds this body.
    package mutating func start(_ exchange: any APIRequestTask) { if !hasEnded { task = exchange } }

    /// Releases the exchange, which has ended.
    package mutating func end() { (task, hasEnded) = (nil, true) }

    /// The exchange to cancel, if the rest of its body is not needed.
    package var unneeded: (any APIRequestTask)? { failure == nil ? nil : task }

    /// Returns the error of the body after its exchange has ended with `error`.
    package func error(after error: APITransportError?) -> APITransportError? {
        // The failure comes first, because the exchange was cancelled after it.
        guard let failure else { return error }
        if failure is TooLarge { return .broken(failure) }
        return failure as? APITransportError ?? .local(failure)
    }

    /// Returns the declared length of the body; `nil` if none is declared, or if `count` exceeds it.
    package func expectedLength(beyond count: Int64) -> Int64? { length.flatMap { $0 >= count ? $0 : nil } }

    /// Checks that `count` more bytes do not exceed the file's limit.
    package func checkFile(adding count: Int64) throws(TooLarge) {
        if let fileLimit, count > Int64(fileLimit) - offset - written { throw TooLarge(limit: fileLimit) }
    }

    /// Appends a piece of the body. Returns whether a write to the file was attempted.
    @discardableResult
    package mutating func write(_ piece: Data) -> Bool {
        guard failure == nil else { return false }
        guard let handle else {
            if let limit, piece.count > limit - other.count {
                (failure, other) = (TooLarge(limit: limit), Data())
            } else if other.isEmpty, piece.startIndex == 0 {
                // Usually there is only one piece. It is copied only if its indices do not start at 0, because callers
                // may assume that they do.
                other = piece
            } else {
                other.append(piece)
            }
            return false
        }
        do {
            try checkFile(adding: Int64(piece.count))
            try handle.write(contentsOf: piece)
            written += Int64(piece.count)
        } catch {
            failure = error
        }
        return true
    }
}

/// The body is larger than the limit.
package struct TooLarge: Error {
    package let limit: Int
}

/// The client delivered a body without a head.
package struct MissingHead: Error {
    package init() {}
}
