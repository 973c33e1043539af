import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// The distinct values of the Content-Length fields. More than one value is an error of the server.
    var declaredLengths: Set<Substring> {
        Set((value(forHTTPHeaderField: "Content-Length") ?? "").split { $0 == "," || $0 == " " })
    }

    /// Returns the declared length of the body; `nil` if the body was compressed or is longer than declared.
    package func expectedLength(beyond count: Int) -> Int64? {
        guard value(forHTTPHeaderField: "Content-Encoding") == nil,
            let field = value(forHTTPHeaderField: "Content-Length"),
            let length = Int64(field) ?? Int64(declaredLengths.joined(separator: ",")), length >= count
        else { return nil }
        return length
    }
}
