import NIOHTTP1

/// The codings of a response's body.
enum Codings {
    /// The body has a coding that the client does not decode.
    struct Unknown: Error, CustomStringConvertible {
        let codings: [String]
        var description: String {
            "the server sent a body with the coding \(codings.joined(separator: ", ")), which the client does not "
                + "decode: it knows gzip and deflate, one of them at a time"
        }
    }

    /// Returns the content codings, in the decompressor's spelling (RFC 9110, 8.4).
    static func content(_ fields: HTTPHeaders) -> [String] {
        guard fields.contains(name: "Content-Encoding") else { return [] }
        return fields[canonicalForm: "Content-Encoding"].map { $0.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
            .map { $0 == "x-gzip" ? "gzip" : $0 }
    }

    /// Checks that nothing but the decoded body can reach the caller. A list of content codings would be decoded in part,
    /// and so would transfer codings other than `chunked` (RFC 9112, 6.1 and 7).
    ///
    /// - Throws: ``Unknown``.
    static func check(_ fields: HTTPHeaders) throws {
        let content = content(fields)
        guard content.isEmpty || content == ["gzip"] || content == ["deflate"] else {
            throw Unknown(codings: content)
        }
        guard fields.contains(name: "Transfer-Encoding") else { return }
        let transfer = fields[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
        guard transfer == ["chunked"] else { throw Unknown(codings: transfer) }
    }
}
