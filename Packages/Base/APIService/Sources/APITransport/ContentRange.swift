import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The Content-Range field of a part (RFC 9110, 14.4), for example `bytes 10-99/100`.
package struct ContentRange: Sendable, Equatable {
    /// The offset of the first byte.
    package let first: Int64
    /// The offset of the last byte, which is not before the first.
    package let last: Int64
    /// The size of the whole file; `nil` if the server does not know it.
    package let total: Int64?

    /// Whether the part is known to end at the end of the file.
    package var isLast: Bool { last + 1 == total }
    /// The number of bytes.
    package var count: Int64 { last - first + 1 }

    /// Returns `nil` if the field is missing or invalid, or if its unit is not bytes.
    package init?(_ head: HTTPURLResponse) {
        guard let field = head.value(forHTTPHeaderField: "Content-Range"),
            let match = field.wholeMatch(of: /(?i:bytes) +([0-9]+)-([0-9]+)\/([0-9]+|\*)/),
            let first = Int64(match.1), let last = Int64(match.2), first <= last, last < .max
        else { return nil }
        (self.first, self.last, total) = (first, last, Int64(match.3))
        guard match.3 == "*" || total.map({ last < $0 }) ?? false else { return nil }
    }
}

/// The server sent a success without the file, for example a 204.
package struct NoFile: Error, CustomStringConvertible {
    package let statusCode: Int

    package init(statusCode: Int) { self.statusCode = statusCode }

    package var description: String { "the server answered \(statusCode), without the file" }
}

/// A response contains only a part of the bytes that were requested.
package struct IncompleteRange: Error, CustomStringConvertible {
    package init() {}

    package var description: String { "the server sent only a part of the requested bytes" }
}
