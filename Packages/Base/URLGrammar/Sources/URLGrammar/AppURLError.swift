/// Why a text is no ``AppURL``, and where.
public struct AppURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Reason: Hashable, Sendable {
        /// The text is empty. A URL without anything is written `/`.
        case empty
        /// The text has this many bytes, more than ``AppURL/maximumLength``.
        case tooLong(Int)
        /// The bytes are no UTF-8.
        case notUTF8
        /// A control character or a space stands in the text as it is.
        case controlCharacter(UInt8)
        /// What stands before the first `:` is no scheme: a letter, then letters, digits, `+`, `-`, `.`.
        case invalidScheme
        /// The authority holds a user name or password (`user@host`).
        case userInformation
        /// The host is missing where there is a port, or is an IP literal in brackets.
        case invalidHost
        /// The port is no number from 0 to 65535.
        case invalidPort
        /// A `%` is not followed by two hexadecimal digits.
        case invalidPercentSequence
        /// Percent sequences decode to bytes that are no UTF-8.
        case percentSequenceNotUTF8
        /// More combining marks follow one another than ``AppURL/maximumMarks``.
        case tooManyMarks
        /// A segment of a URL that is put together is empty.
        case emptySegment
    }

    /// What is wrong.
    public let reason: Reason
    /// The offset in the text, in bytes of UTF-8, where it is wrong.
    public let position: Int
    /// The text, cut to its first 200 bytes.
    public let url: String

    init(_ reason: Reason, at position: Int, in bytes: [UInt8]) {
        self.reason = reason
        self.position = position
        let shown = String(decoding: bytes.prefix(200), as: UTF8.self)
        self.url = bytes.count > 200 ? shown + "…" : shown
    }

    /// Where, what, why, and how to mend it.
    public var description: String { "URL \(AppURL.quoted(url)), byte \(position): \(explanation)" }

    /// What is wrong, in a few words, for an error that has its own why and how.
    public var what: String { parts.what }

    /// What, why, and how to mend it, for an error that itself says where.
    public var explanation: String { "\(parts.what). \(parts.why). \(parts.mend)." }

    private var parts: (what: String, why: String, mend: String) {
        switch reason {
        case .empty:
            (
                "it is empty", "An empty text names nothing, and is most often a value that got lost",
                "Pass the route's name, or \"/\" for the root"
            )
        case .tooLong(let length):
            (
                "it has \(length) bytes", "At most \(AppURL.maximumLength) are parsed, to bound the work",
                "Pass large values with a local call's parameters"
            )
        case .notUTF8:
            (
                "the bytes are no UTF-8", "Every part of a URL is text",
                "Percent-encode the UTF-8 form of the text"
            )
        case .controlCharacter(let byte):
            (
                "the byte \(byte) stands as it is", "RFC 3986 has no place for spaces and control characters",
                "Remove it, or write %\(hexadecimal(byte))"
            )
        case .invalidScheme:
            (
                "what stands before \":\" is no scheme",
                "A scheme is a letter, then letters, digits, \"+\", \"-\" or \".\" (RFC 3986, 3.1)",
                "Correct the scheme, or write the \":\" as %3A"
            )
        case .userInformation:
            (
                "it holds a user name", "\"trusted@other\" reads like the host it is not",
                "Remove all up to \"@\", or write it as %40"
            )
        case .invalidHost:
            (
                "the host is missing or in brackets", "The host names a module, and IP literals name none",
                "Write scheme://module/path"
            )
        case .invalidPort:
            ("the port is no number", "A port is 0 to 65535", "Correct it, or write the \":\" as %3A")
        case .invalidPercentSequence:
            (
                "\"%\" is not followed by two hexadecimal digits",
                "Guessing would give a value that nobody wrote", "Write a percent sign as %25"
            )
        case .percentSequenceNotUTF8:
            (
                "the percent sequences are no UTF-8", "Every part of a URL is text",
                "Percent-encode the UTF-8 form of the text"
            )
        case .tooManyMarks:
            (
                "more than \(AppURL.maximumMarks) combining marks follow one another",
                "No language needs as many, and comparing them takes long", "Remove them"
            )
        case .emptySegment:
            (
                "a segment is empty", "Empty segments are dropped when parsed, so it would get lost",
                "Leave it out, or give it a text"
            )
        }
    }
}
