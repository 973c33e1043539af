import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The bytes that a request asks for in its Range field (RFC 9110, 14.2), and the check that a response contains them.
///
/// A response that says where its bytes belong is believed or refused, whatever its status. A server may ignore the
/// field and send the whole representation as a 200 (RFC 9110, 14.2). The parts of several ranges, and ranges that are
/// not in bytes, are not checked.
package struct RequestedRange: Sendable {
    private enum Kind {
        case whole
        case from(Int64, through: Int64?)
        /// The last bytes of the representation.
        case suffix(Int64)
        case unchecked
    }

    private let kind: Kind
    private let field: String?
    private let length: Int64?
    private let isHead: Bool

    /// - Parameter length: The length of the whole representation, if an earlier response has declared it.
    package init(_ request: URLRequest, length: Int64? = nil) {
        field = request.value(forHTTPHeaderField: "Range")
        (kind, self.length, isHead) = (Self.kind(field), length, request.httpMethod == "HEAD")
    }

    private static func kind(_ field: String?) -> Kind {
        guard let field else { return .whole }
        guard let match = field.wholeMatch(of: /(?i:bytes) *= *([0-9]*)-([0-9]*) */) else {
            return .unchecked
        }
        let (first, last) = (Int64(match.1), Int64(match.2))
        if let first { return match.2.isEmpty || last != nil ? .from(first, through: last) : .unchecked }
        return match.1.isEmpty ? last.map { .suffix($0) } ?? .unchecked : .unchecked
    }

    /// Checks a response with a status from 200 to 299.
    ///
    /// A part that ends where the requested range or the representation ends is complete. A shorter part is allowed by
    /// RFC 9110, 15.3.7, so its receiver has to read the Content-Range.
    ///
    /// - Parameters:
    ///   - size: The size of the body; `nil` if it has not arrived yet.
    ///   - mayBeShort: Whether the receiver accepts a shorter part.
    /// - Throws: ``APITransportError/broken(_:)`` with a ``WrongRange`` if the response contains other bytes, or with
    ///   an ``IncompleteRange`` if it contains too few.
    package func check(_ head: HTTPURLResponse, size: Int64?, mayBeShort: Bool) throws(APITransportError) {
        let status = head.statusCode
        guard (200..<300).contains(status), !isHead else { return }
        let content = head.value(forHTTPHeaderField: "Content-Range")
        if status != 206, content == nil { return }
        let wrong = APITransportError.broken(WrongRange(statusCode: status, content: content, asked: field))
        let isComplete: Bool
        let range = ContentRange(head)
        let total = range?.total ?? length
        switch kind {
        case .unchecked where status == 206: return
        case .whole where status == 206: throw wrong
        case .from(let first, let last) where status == 206:
            guard range?.first == first, let end = range?.last, last.map({ end <= $0 }) ?? true else {
                throw wrong
            }
            isComplete = end == last || end + 1 == total
        case .suffix(let count) where status == 206:
            guard let range, range.count <= count, total.map({ range.first == max($0 - count, 0) }) ?? true
            else { throw wrong }
            isComplete = range.last + 1 == total
        default:
            // Only a 206 and a 416 give the field a meaning (RFC 9110, 14.4).
            guard range?.first == 0, range?.isLast == true else { throw wrong }
            isComplete = true
        }
        guard let range, !head.isEncoded, head.mimeType?.lowercased() != "multipart/byteranges",
            length == nil || total == length, range.count >= size ?? 0
        else { throw wrong }
        if size ?? range.count < range.count || !isComplete && !mayBeShort {
            throw .broken(IncompleteRange())
        }
    }
}

/// A response contains other bytes than the request asked for.
package struct WrongRange: Error, CustomStringConvertible {
    let statusCode: Int
    let content: String?
    let asked: String?

    package var description: String {
        "the server answered \(statusCode) with \(content.map { "the Content-Range \($0)" } ?? "no Content-Range") "
            + "to a request for \(asked.map { "the range \($0)" } ?? "the whole representation"), "
            + "so its bytes may belong elsewhere"
    }
}

extension URLRequest {
    /// Asks for a body without a content coding, unless the request has an Accept-Encoding field. The offsets of a range
    /// count bytes of the coded body, and not every client notices that a compressed body is truncated.
    package mutating func askForIdentity() {
        guard value(forHTTPHeaderField: "Accept-Encoding") == nil else { return }
        setValue("identity", forHTTPHeaderField: "Accept-Encoding")
    }
}
