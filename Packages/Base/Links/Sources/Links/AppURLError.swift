/// The error for a string that is not a valid ``AppURL``.
public struct AppURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Reason: Hashable, Sendable {
        /// The text is empty. The URL of the root is `/`.
        case empty
        /// The text is longer than ``AppURL/maximumLength``. The associated value is its length in bytes.
        case tooLong(Int)
        /// The text contains an unencoded control character or space.
        case controlCharacter(UInt8)
        /// The text before the first `:` is not a letter followed by letters, digits, `+`, `-` and `.`.
        case invalidScheme
        /// The authority contains a user name or password (`user@host`).
        case userInformation
        /// The host is an IP literal in brackets, or has a port.
        case invalidHost
        /// A `%` is not followed by two hexadecimal digits.
        case invalidPercentSequence
        /// Percent sequences decode to bytes that are not valid UTF-8.
        case percentSequenceNotUTF8
        /// The text contains more than ``AppURL/maximumMarks`` consecutive combining marks.
        case tooManyMarks
        /// The host contains a letter outside ASCII, or punycode (`xn--`).
        case foreignHost
        /// The path, query or fragment contains both a percent sequence and a character that a URL must encode.
        case halfEncoded
    }

    /// The kind of error.
    public let reason: Reason
    /// The offset of the error in the text, in bytes of UTF-8.
    public let position: Int
    /// The text. Of a text of more than 200 bytes, the first 200 and "…".
    public let url: String

    init(_ reason: Reason, at position: Int, in bytes: [UInt8]) {
        self.reason = reason
        self.position = position
        let shown = String(decoding: bytes.prefix(200), as: UTF8.self)
        self.url = bytes.count > 200 ? shown + "…" : shown
    }

    /// The message: where the error occurred, what is wrong, why the rule exists, and how to fix it.
    public var description: String { "URL \(AppURL.quoted(url)), byte \(position): \(explanation)" }

    /// What is wrong, why the rule exists and how to fix it, for messages that add the place themselves.
    public var explanation: String {
        switch reason {
        case .empty:
            "the URL is empty, so a value was probably lost. Pass the route's name, or \"/\" for the root."
        case .tooLong(let length):
            "the URL has \(length) bytes. At most \(AppURL.maximumLength) bytes are parsed, to bound the work. "
                + "Pass large values as parameters of a local call."
        case .controlCharacter(let byte):
            "the byte \(byte) is not encoded. RFC 3986 does not allow spaces or control characters. Encode or remove it."
        case .invalidScheme:
            "the text before \":\" is not a scheme: a letter, then letters, digits, \"+\", \"-\" or \".\" (RFC 3986, 3.1). "
                + "Correct the scheme, or write the \":\" as %3A."
        case .userInformation:
            "the URL contains a user name. \"trusted@other\" looks like the host \"trusted\". "
                + "Remove everything up to \"@\", or write the \"@\" as %40."
        case .invalidHost:
            "the host is in brackets or has a port. It names a module, which has neither. Write scheme://module/path."
        case .foreignHost:
            "the host is not ASCII. Systems rewrite such a host as punycode, which is another address. "
                + "Name the host in ASCII, and write other letters in the path."
        case .halfEncoded:
            "a character is not encoded, but others of this part are. A system that encodes it encodes the percent "
                + "signs again, which is another address. Percent-encode the character too."
        case .invalidPercentSequence:
            "\"%\" is not followed by two hexadecimal digits. Guessing would produce text that nobody wrote. "
                + "Write a percent sign as %25."
        case .percentSequenceNotUTF8:
            "the percent sequences do not decode to UTF-8, but a URL is text. Percent-encode the text's UTF-8 form."
        case .tooManyMarks:
            "more than \(AppURL.maximumMarks) combining marks follow one another, which are slow to compare. Remove them."
        }
    }
}
