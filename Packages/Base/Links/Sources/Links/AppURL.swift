/// A parsed URL of the app: `scheme://host/segment/segment?name=value#fragment`.
///
/// Mediator and Routes share this parser. Unlike Foundation's parser, it gives the same results in every
/// version of the operating system, and defines a meaning or an error for every byte string. The package's Grammar.md
/// contains the grammar and the differences from RFC 3986. In short:
///
/// - The scheme is optional (`bybus_vc` is a URL with one segment) and is lower-cased.
/// - The host names a module (`app://moduleA/describe`). It is ASCII and is lower-cased, because systems lower-case
///   hosts and rewrite other letters as punycode.
/// - The path is split at `/` before it is percent-decoded. Empty segments are dropped, so trailing, leading
///   and doubled slashes have no effect. `.` and `..` are ordinary segments.
/// - `+` means a space only in the query. Repeated names are kept, in order.
/// - A percent sequence that is truncated, is not hexadecimal or does not decode to UTF-8 is an error.
/// - A string and the Foundation `URL` made of it are one address, or the string is an error that says why not.
///
/// Two URLs are equal if all their parts are equal. Parts are compared as Swift strings, by canonical
/// equivalence. Thread-safe. Source: seeds 2 and 4, RFC 3986.
public struct AppURL: Hashable, Sendable {
    /// One decoded `name=value` of the query.
    ///
    /// A name without `=` has an empty value.
    public struct QueryItem: Hashable, Sendable {
        /// The text before the first `=`.
        public let name: String
        /// The text after the first `=`.
        public let value: String
    }

    /// The maximum length of a URL: 65,536 bytes of UTF-8.
    ///
    /// Longer URLs are errors, which limits the work that an outside URL can cause.
    public static let maximumLength = 65_536
    /// The maximum number of consecutive combining marks in a decoded part: 30.
    ///
    /// Unicode's Stream-Safe Text Format (UAX #15, 13) has the same limit for the same reason: comparing strings sorts
    /// their marks, which takes quadratic time in the number of consecutive marks.
    public static let maximumMarks = 30

    /// The scheme in lower case: `app` in `app://moduleA/describe`.
    public let scheme: String?
    /// The host, if there is one, followed by the decoded segments of the path. No element is empty.
    public let segments: [String]
    /// Whether the first of ``segments`` is the host.
    public let hasHost: Bool
    /// The items of the query, in order.
    public let query: [QueryItem]
    /// The decoded text after the first `#`.
    public let fragment: String?

    /// The decoded host in lower case: `modulea` in `app://moduleA/describe`.
    public var host: String? { hasHost ? segments.first : nil }

    /// The path's segments without the host.
    public var path: ArraySlice<String> { segments.dropFirst(hasHost ? 1 : 0) }
}

extension AppURL {
    /// Parses a URL.
    ///
    /// - Parameter string: The URL's text, percent-encoded where necessary.
    /// - Throws: ``AppURLError`` with the reason and the offset in bytes of UTF-8.
    /// - Complexity: O(length), with one allocation for the text and one for each part.
    public init(_ string: String) throws(AppURLError) {
        var parser = AppURLParser(Array(string.utf8))
        self = try parser.parse()
    }
}

/// Parses the UTF-8 bytes of a URL from front to back.
///
/// All delimiters are ASCII, so splitting at them never divides a character. Parts are percent-decoded after
/// the URL is split, so an encoded delimiter is ordinary text.
struct AppURLParser {
    private let bytes: [UInt8]
    /// The first and the last byte of the URL that may differ from its decoded text or must be encoded.
    private var (firstEncoded, lastEncoded) = (Int.max, -1)
    /// Whether the path may contain a dot segment, or the URL a decoded control character. It is false for most URLs, so
    /// that they need no closer look.
    private(set) var isSuspect = false
    /// Whether the host, path, query or fragment that is being parsed contains a percent sequence.
    private var hasPercent = false
    /// The first character of that part which a URL must encode, but which is not encoded.
    private var unencoded: Int?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// Decodes all bytes as one part.
    mutating func text() throws(AppURLError) -> String {
        (firstEncoded, lastEncoded) = (0, bytes.count)
        return try text(0..<bytes.count)
    }

    mutating func parse() throws(AppURLError) -> AppURL {
        if bytes.isEmpty { throw AppURLError(.empty, at: 0, in: bytes) }
        if bytes.count > AppURL.maximumLength {
            throw AppURLError(.tooLong(bytes.count), at: AppURL.maximumLength, in: bytes)
        }
        let marks = try delimiters()
        let queryEnd = marks.fragment ?? bytes.count
        let pathEnd = marks.query ?? queryEnd
        var start = 0
        var scheme: String?
        if let colon = marks.colon {
            guard Self.isScheme(bytes[..<colon]) else { throw AppURLError(.invalidScheme, at: 0, in: bytes) }
            scheme = String(decoding: bytes[..<colon], as: UTF8.self).lowercased()
            start = colon + 1
        }
        var segments: [String] = []
        segments.reserveCapacity(marks.slashes + 1)
        if start + 1 < pathEnd, bytes[start] == .slash, bytes[start + 1] == .slash {
            let end = bytes[(start + 2)..<pathEnd].firstIndex(of: .slash) ?? pathEnd
            if let host = try parseHost((start + 2)..<end) { segments.append(host) }
            try checkEncoding()
            start = end
        }
        let hasHost = !segments.isEmpty
        try parsePath(start..<pathEnd, into: &segments)
        try checkEncoding()
        var query: [AppURL.QueryItem] = []
        if let mark = marks.query { query = try parseQuery((mark + 1)..<queryEnd) }
        try checkEncoding()
        var fragment: String?
        if let mark = marks.fragment { fragment = try text((mark + 1)..<bytes.count) }
        try checkEncoding()
        return AppURL(
            scheme: scheme, segments: segments, hasHost: hasHost, query: query, fragment: fragment)
    }

    /// Whether the bytes are a valid scheme (RFC 3986, section 3.1).
    private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first, first.isLetter else { return false }
        return bytes.allSatisfy { byte in
            byte.isLetter || byte.isDigit || byte == .plus || byte == .minus || byte == .dot
        }
    }

    /// The places of the delimiters.
    private struct Delimiters {
        /// The colon after the scheme.
        var colon: Int?
        /// The `?` before the query.
        var query: Int?
        /// The `#` before the fragment.
        var fragment: Int?
        /// The slashes before the query, which bound the number of segments.
        var slashes = 0
    }

    private mutating func delimiters() throws(AppURLError) -> Delimiters {
        var marks = Delimiters()
        var (first, last) = (Int.max, -1)
        for index in bytes.indices where !bytes[index].isLetter {
            let byte = bytes[index]
            if byte <= .space || byte == .delete {
                throw AppURLError(.controlCharacter(byte), at: index, in: bytes)
            }
            if byte == .percent || byte == .plus || !byte.mayStandUnencoded {
                (first, last) = (min(first, index), index)
            }
            if marks.fragment != nil { continue }
            switch byte {
            case .hash: marks.fragment = index
            case .question where marks.query == nil: marks.query = index
            case .slash where marks.query == nil: marks.slashes += 1
            case .colon where marks.query == nil && marks.slashes == 0 && marks.colon == nil:
                marks.colon = index
            default: break
            }
        }
        (firstEncoded, lastEncoded) = (first, last)
        return marks
    }

    /// Checks that the part that ends here encodes every character that a URL must encode, if it encodes any.
    ///
    /// Foundation's `URL(string:)` encodes all such characters of a part, and then the part's percent signs too.
    private mutating func checkEncoding() throws(AppURLError) {
        if hasPercent, let unencoded { throw AppURLError(.halfEncoded, at: unencoded, in: bytes) }
        (hasPercent, unencoded) = (false, nil)
    }

    /// The host between the `//` and the next slash; nil if there is no text.
    private mutating func parseHost(_ authority: Range<Int>) throws(AppURLError) -> String? {
        if authority.isEmpty { return nil }
        for index in authority {
            switch bytes[index] {
            case .at: throw AppURLError(.userInformation, at: index, in: bytes)
            case .colon, .openBracket, .closeBracket: throw AppURLError(.invalidHost, at: index, in: bytes)
            default: continue
            }
        }
        if bytes[authority.lowerBound] == .dot { isSuspect = true }
        let host = try text(authority).lowercased()
        guard AppURL.isHost(host) else {
            throw AppURLError(.foreignHost, at: authority.lowerBound, in: bytes)
        }
        return host
    }

    private mutating func parsePath(_ path: Range<Int>, into segments: inout [String]) throws(AppURLError) {
        var start = path.lowerBound
        while start < path.upperBound {
            let end = bytes[start..<path.upperBound].firstIndex(of: .slash) ?? path.upperBound
            if end > start {
                if bytes[start] == .dot { isSuspect = true }
                segments.append(try text(start..<end))
            }
            start = end + 1
        }
    }

    private mutating func parseQuery(_ query: Range<Int>) throws(AppURLError) -> [AppURL.QueryItem] {
        var items: [AppURL.QueryItem] = []
        var start = query.lowerBound
        while start < query.upperBound {
            let end = bytes[start..<query.upperBound].firstIndex(of: .ampersand) ?? query.upperBound
            if end > start {
                let equals = bytes[start..<end].firstIndex(of: .equals) ?? end
                let name = try text(start..<equals, plusIsSpace: true)
                let value = try text(min(equals + 1, end)..<end, plusIsSpace: true)
                items.append(AppURL.QueryItem(name: name, value: value))
            }
            start = end + 1
        }
        return items
    }

    /// Decodes a segment, or the name or value of an item, or the fragment.
    mutating func text(_ part: Range<Int>, plusIsSpace: Bool = false) throws(AppURLError) -> String {
        guard firstEncoded < part.upperBound, part.lowerBound <= lastEncoded else {
            return String(decoding: bytes[part], as: UTF8.self)
        }
        var isPlain = true
        for index in part where !bytes[index].isLetter {
            switch bytes[index] {
            case .percent: (hasPercent, isPlain) = (true, false)
            case .plus where plusIsSpace: isPlain = false
            case let byte where !byte.mayStandUnencoded: (unencoded, isPlain) = (unencoded ?? index, false)
            default: continue
            }
        }
        if isPlain { return String(decoding: bytes[part], as: UTF8.self) }
        let text = try decoded(part, plusIsSpace)
        if Self.hasTooManyMarks(text) { throw AppURLError(.tooManyMarks, at: part.lowerBound, in: bytes) }
        return text
    }

    private mutating func decoded(_ part: Range<Int>, _ plusIsSpace: Bool) throws(AppURLError) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(part.count)
        var index = part.lowerBound
        while index < part.upperBound {
            switch bytes[index] {
            case .percent:
                guard index + 2 < part.upperBound, let high = bytes[index + 1].hexadecimalValue,
                    let low = bytes[index + 2].hexadecimalValue
                else { throw AppURLError(.invalidPercentSequence, at: index, in: bytes) }
                let byte = high << 4 | low
                if byte < .space || byte == .delete || byte == .dot || byte == .slash { isSuspect = true }
                decoded.append(byte)
                index += 2
            case .plus where plusIsSpace: decoded.append(.space)
            case let byte: decoded.append(byte)
            }
            // In UTF-8, the control characters U+0080 to U+009F begin with this byte.
            if decoded.last == 0xC2 { isSuspect = true }
            index += 1
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            let percent = bytes[part].firstIndex(of: .percent) ?? part.lowerBound
            throw AppURLError(.percentSequenceNotUTF8, at: percent, in: bytes)
        }
        return text
    }

    /// Whether the text contains more than ``AppURL/maximumMarks`` consecutive combining marks.
    ///
    /// Comparing or hashing a `String` first sorts consecutive marks, in quadratic time: 32,000 marks take
    /// seconds.
    private static func hasTooManyMarks(_ text: String) -> Bool {
        var marks = 0
        for scalar in text.unicodeScalars {
            // The general category is used because some marks have combining class 0. No mark is in ASCII.
            switch scalar.isASCII ? .otherSymbol : scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            if marks > AppURL.maximumMarks { return true }
        }
        return false
    }
}
