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

    /// Decodes a percent-encoded segment of a path, where `+` is a plus sign.
    ///
    /// - Parameter text: One encoded segment of a URL.
    /// - Returns: The decoded text.
    /// - Throws: ``AppURLError`` for an invalid percent sequence, bytes that are not UTF-8, or too many combining
    ///   marks.
    /// - Complexity: O(length).
    public static func percentDecoded(_ text: some StringProtocol) throws(AppURLError) -> String {
        var parser = AppURLParser(Array(text.utf8))
        return try parser.text(0..<text.utf8.count)
    }
}

/// Parses the UTF-8 bytes of a URL from front to back.
///
/// All delimiters are ASCII, so splitting at them never divides a character. Parts are percent-decoded after
/// the URL is split, so an encoded delimiter is ordinary text.
private struct AppURLParser {
    private let bytes: [UInt8]
    /// Whether the host, path, query or fragment that is being parsed contains a percent sequence.
    private var hasPercent = false
    /// The first character of that part which a URL must encode, but which is not encoded.
    private var unencoded: Int?

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
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

    private func delimiters() throws(AppURLError) -> Delimiters {
        var marks = Delimiters()
        for index in bytes.indices where !bytes[index].isLetter {
            let byte = bytes[index]
            if byte <= .space || byte == .delete {
                throw AppURLError(.controlCharacter(byte), at: index, in: bytes)
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
            if end > start { segments.append(try text(start..<end)) }
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

    private func decoded(_ part: Range<Int>, _ plusIsSpace: Bool) throws(AppURLError) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(part.count)
        var index = part.lowerBound
        while index < part.upperBound {
            switch bytes[index] {
            case .percent:
                guard index + 2 < part.upperBound, let high = bytes[index + 1].hexadecimalValue,
                    let low = bytes[index + 2].hexadecimalValue
                else { throw AppURLError(.invalidPercentSequence, at: index, in: bytes) }
                decoded.append(high << 4 | low)
                index += 2
            case .plus where plusIsSpace: decoded.append(.space)
            case let byte: decoded.append(byte)
            }
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
