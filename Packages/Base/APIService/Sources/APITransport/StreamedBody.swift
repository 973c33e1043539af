import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A streamed response whose body is written to a file, or kept in memory while no file is open.
package struct StreamedBody {
    package var head: HTTPURLResponse?
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
    /// The exchange, until it ends. Set only if there is a limit to enforce.
    package var task: (any APIRequestTask)? {
        didSet { if limit == nil { task = nil } }
    }
    private let limit: Int?

    /// - Parameter limit: The maximum size of a body in memory.
    package init(limit: Int?) { self.limit = limit }

    /// The exchange to cancel, if its body in memory is too large.
    package var excessive: (any APIRequestTask)? { failure is TooLarge ? task : nil }

    /// Returns the error of the body after its exchange has ended with `error`.
    package func error(after error: APITransportError?) -> APITransportError? {
        if let failure = failure as? TooLarge { return .broken(failure) }
        return error ?? failure.map { $0 as? APITransportError ?? .local($0) }
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
