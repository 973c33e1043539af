import APIService
import APITransport
import Foundation

/// A multipart form (RFC 7578), whose parts may be files.
///
/// A form without files is built in memory. A form with files is written to a temporary file, so that memory
/// does not limit its size. The temporary file is removed after the attempt.
public struct APIMultipartForm: Sendable, Hashable {
    /// The content of a part.
    public enum Content: Sendable, Hashable {
        /// Bytes in memory.
        case data(Data)
        /// The contents of a file, read at the start of an attempt.
        case file(URL)
    }

    /// A part of a form.
    public struct Part: Sendable, Hashable {
        /// The field's name.
        public var name: String
        /// The name of the file, as reported to the server; `nil` if the part is not a file.
        public var filename: String?
        /// The media type of the content, for example `image/png`; `nil` means plain text.
        public var contentType: String?
        /// The content.
        public var content: Content

        /// Creates a part.
        public init(name: String, filename: String? = nil, contentType: String? = nil, content: Content) {
            (self.name, self.filename, self.contentType, self.content) = (
                name, filename, contentType, content
            )
        }
    }

    /// The parts in order.
    public var parts: [Part]

    /// The delimiter between the parts. It is random by default, so that it does not occur in the parts' content.
    ///
    /// 1 to 70 letters, digits and characters of `'+_-.`, the characters of RFC 2046, 5.1.1 that need no quotes. A form with
    /// any other delimiter is not sent, because a server could read it as something else. The request fails with
    /// `APIRequestError.invalidHeader(_:)`.
    public let boundary: String

    /// Creates a form.
    public init(_ parts: [Part] = [], boundary: String = "APIService-\(UUID().uuidString)") {
        (self.parts, self.boundary) = (parts, boundary)
    }

    /// The value of the Content-Type field.
    ///
    /// - Throws: An error if the boundary is not valid.
    var contentType: String {
        get throws(APIRequestError) {
            guard boundary.wholeMatch(of: /[A-Za-z0-9'+_.\-]{1,70}/) != nil else {
                throw .invalidHeader(
                    "the boundary \(boundary.debugDescription) of a multipart form must consist of 1 to 70 letters, "
                        + "digits and characters of '+_-.")
            }
            return "multipart/form-data; boundary=\(boundary)"
        }
    }

    /// Returns the body, in memory or in a temporary file that ``discard(_:)`` removes.
    ///
    /// - Throws: An error from reading or writing a file.
    func encoded() throws -> APIUpload {
        let hasFiles = parts.contains { if case .file = $0.content { true } else { false } }
        guard hasFiles else {
            var body = Data()
            try write { body.append($0) }
            return .data(body)
        }
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "\(boundary)-\(UUID().uuidString)")
        try Data().write(to: file)
        do {
            let handle = try FileHandle(forWritingTo: file)
            defer { try? handle.close() }
            try write { try handle.write(contentsOf: $0) }
        } catch {
            try? FileManager.default.removeItem(at: file)
            throw error
        }
        return .file(file)
    }

    /// Removes the temporary file that ``encoded()`` created, if any.
    func discard(_ upload: APIUpload) {
        if case .file(let file) = upload { try? FileManager.default.removeItem(at: file) }
    }

    private func write(_ put: (Data) throws -> Void) throws {
        for part in parts {
            var head = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
            if let filename = part.filename { head += "; filename=\"\(Self.quoted(filename))\"" }
            if let type = part.contentType { head += "\r\nContent-Type: \(type.filter { !$0.isNewline })" }
            try put(Data((head + "\r\n\r\n").utf8))
            switch part.content {
            case .data(let data): try put(data)
            case .file(let url):
                let handle = try FileHandle(forReadingFrom: url)
                defer { try? handle.close() }
                while let piece = try handle.read(upToCount: 64 << 10), !piece.isEmpty { try put(piece) }
            }
            try put(Data("\r\n".utf8))
        }
        try put(Data("--\(boundary)--\r\n".utf8))
    }

    /// Escapes a name as browsers do (WHATWG HTML, "multipart/form-data").
    private static func quoted(_ name: String) -> String {
        var text = ""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}
