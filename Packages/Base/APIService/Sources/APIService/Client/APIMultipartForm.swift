import Foundation

/// A form of parts (RFC 7578), some of which may be files.
///
/// A form without files is built in memory; one with files is written to a temporary file, so that its size
/// does not matter, and that file is removed after the attempt.
public struct APIMultipartForm: Sendable, Hashable {
    /// What a part holds.
    public enum Content: Sendable, Hashable {
        /// Bytes in memory.
        case data(Data)
        /// A file's bytes, as they are when an attempt begins.
        case file(URL)
    }

    /// One part.
    public struct Part: Sendable, Hashable {
        /// The field's name.
        public var name: String
        /// The file's name that the server is told; nil: it is no file.
        public var filename: String?
        /// What kind of content it is: `image/png`; nil: plain text.
        public var contentType: String?
        /// What it holds.
        public var content: Content

        /// A part.
        public init(name: String, filename: String? = nil, contentType: String? = nil, content: Content) {
            (self.name, self.filename, self.contentType, self.content) = (
                name, filename, contentType, content
            )
        }
    }

    /// The parts in order.
    public var parts: [Part]

    /// What stands between the parts. Random, so that no content has it.
    public let boundary: String

    /// A form.
    public init(_ parts: [Part] = [], boundary: String = "APIService-\(UUID().uuidString)") {
        (self.parts, self.boundary) = (parts, boundary)
    }

    /// The value of the Content-Type field.
    var contentType: String { "multipart/form-data; boundary=\(boundary)" }

    /// The body, in memory or in a temporary file, which ``discard(_:)`` removes.
    ///
    /// - Throws: What reading or writing a file throws.
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

    /// Removes what ``encoded()`` has written.
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

    /// As browsers escape names (WHATWG HTML, "multipart/form-data").
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
