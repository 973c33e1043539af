import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension HTTPURLResponse {
    /// Whether the status means that there is no content (204 and 205), so that a body cannot be a file.
    package var hasNoContent: Bool { statusCode == 204 || statusCode == 205 }

    /// Whether the body has a content coding.
    package var isEncoded: Bool {
        ![nil, "identity"].contains(value(forHTTPHeaderField: "Content-Encoding")?.lowercased())
    }

    /// Returns the declared length of the body as it was sent, before its coding was removed; `nil` if there is none.
    ///
    /// - Throws: `URLError` if the Content-Length is not a number, or if its values differ (RFC 9110, 8.6, and RFC 9112,
    ///   6.3).
    func declaredLength() throws -> Int64? {
        guard let field = value(forHTTPHeaderField: "Content-Length") else { return nil }
        let values = Set(field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) })
        guard values.count == 1, let length = values.first,
            length.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains), !length.isEmpty
        else { throw URLError(.badServerResponse) }
        return Int64(length) ?? .max
    }

    /// The declared length of the body; `nil` if no length is declared, or the body was compressed.
    package var expectedLength: Int64? { isEncoded ? nil : try? declaredLength() }
}
