import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether the status means that there is no content (204 and 205), so that a body cannot be a file.
    package var hasNoContent: Bool { statusCode == 204 || statusCode == 205 }

    /// The distinct values of the Content-Length fields. A response with more than one value is invalid.
    var declaredLengths: Set<Substring> {
        Set((value(forHTTPHeaderField: "Content-Length") ?? "").split { $0 == "," || $0 == " " })
    }

    /// Returns the declared length of the body; `nil` if no length is declared, the body was compressed, or `count`
    /// exceeds the declared length.
    package func expectedLength(beyond count: Int) -> Int64? {
        guard value(forHTTPHeaderField: "Content-Encoding") == nil,
            let field = value(forHTTPHeaderField: "Content-Length"),
            let length = Int64(field) ?? Int64(declaredLengths.joined(separator: ",")), length >= count
        else { return nil }
        return length
    }
}
