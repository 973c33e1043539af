import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A streamed response whose body is written to a file, or kept in memory while no file is open.
package struct StreamedBody {
    package var head: HTTPURLResponse?
    package var handle: FileHandle?
    /// The number of bytes in the file.
    package var written: Int64 = 0
    /// The body of a response for which no file is opened.
    package var other = Data()
    /// The error of the file. Later pieces are dropped.
    package var failure: (any Error)?

    package init() {}

    /// Appends a piece of the body. Returns whether the file received the piece or failed.
    package mutating func write(_ piece: Data) -> Bool {
        guard failure == nil else { return false }
        guard let handle else {
            other.append(piece)
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
