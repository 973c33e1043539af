extension AppURL {
    /// Parses a URL.
    ///
    /// - Parameter string: The URL's text, percent-encoded where necessary.
    /// - Throws: ``AppURLError`` with the reason and the offset in bytes of UTF-8.
    /// - Complexity: O(length), with one allocation for the text and one for each part.
    public init(_ string: String) throws(AppURLError) {
        self = try AppURLParser(Array(string.utf8)).parse()
    }

    /// The query as a dictionary.
    ///
    /// The value of a name that occurs once is a `String`. The value of a repeated name is a `[String]`, in
    /// order.
    ///
    /// - Complexity: O(number of items).
    public func queryValues() -> [String: any Sendable] {
        var values: [String: any Sendable] = [:]
        values.reserveCapacity(query.count)
        // The arrays are separate from `values`, so that they grow in place: a URL may repeat a name 30,000 times.
        var repeated: [String: [String]] = [:]
        for item in query {
            guard let earlier = values.updateValue(item.value, forKey: item.name) as? String else { continue }
            repeated[item.name, default: [earlier]].append(item.value)
        }
        for (name, texts) in repeated { values[name] = texts }
        return values
    }
}

/// Parses the UTF-8 bytes of a URL from front to back.
///
/// All delimiters are ASCII, so splitting at them never divides a character. Parts are percent-decoded after
/// the URL is split, so an encoded delimiter is ordinary text.
struct AppURLParser {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func parse() throws(AppURLError) -> AppURL {
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
        var port: UInt16?
        if start + 1 < pathEnd, bytes[start] == .slash, bytes[start + 1] == .slash {
            (port, start) = try parseAuthority(from: start + 2, to: pathEnd, into: &segments)
        }
        let hasHost = !segments.isEmpty
        if marks.hasPercent {
            try checkEncoding(start..<pathEnd)
            if let mark = marks.query { try checkEncoding((mark + 1)..<queryEnd) }
            if let mark = marks.fragment { try checkEncoding((mark + 1)..<bytes.count) }
        }
        try parsePath(from: start, to: pathEnd, into: &segments)
        var query: [AppURL.QueryItem] = []
        if let mark = marks.query { query = try parseQuery(from: mark + 1, to: queryEnd) }
        var fragment: String?
        if let mark = marks.fragment {
            fragment = try text(mark + 1, bytes.count, plusIsSpace: false)
        }
        return AppURL(
            scheme: scheme, hasHost: hasHost, port: port, segments: segments, query: query,
            fragment: fragment)
    }

    /// Whether the bytes are a valid scheme (RFC 3986, section 3.1).
    static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
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
        /// Whether there is a percent sign anywhere.
        var hasPercent = false
    }

    private func delimiters() throws(AppURLError) -> Delimiters {
        var marks = Delimiters()
        for (index, byte) in bytes.enumerated() {
            if byte <= .space || byte == .delete {
                throw AppURLError(.controlCharacter(byte), at: index, in: bytes)
            }
            if byte == .percent { marks.hasPercent = true }
            guard marks.fragment == nil else { continue }
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

    /// Checks that a part with a percent sequence encodes every character that a URL must encode.
    ///
    /// Foundation's `URL(string:)` encodes all such characters of a part, and then the part's percent signs too.
    private func checkEncoding(_ part: Range<Int>) throws(AppURLError) {
        guard let foreign = bytes[part].firstIndex(where: { !$0.mayStandUnencoded }),
            bytes[part].contains(.percent)
        else { return }
        throw AppURLError(.halfEncoded, at: foreign, in: bytes)
    }

    /// Parses `host[:port]` up to the next slash, and appends the host to `segments`.
    ///
    /// - Returns: The port, and the offset at which the path begins.
    private func parseAuthority(
        from start: Int, to limit: Int, into segments: inout [String]
    ) throws(AppURLError) -> (port: UInt16?, end: Int) {
        var end = start
        var colon: Int?
        while end < limit, bytes[end] != .slash {
            switch bytes[end] {
            case .at: throw AppURLError(.userInformation, at: end, in: bytes)
            case .openBracket, .closeBracket: throw AppURLError(.invalidHost, at: end, in: bytes)
            case .colon where colon == nil: colon = end
            default: break
            }
            end += 1
        }
        let hostEnd = colon ?? end
        if hostEnd > start {
            let host = try text(start, hostEnd, plusIsSpace: false)
            guard AppURL.isHost(host) else { throw AppURLError(.foreignHost, at: start, in: bytes) }
            segments.append(AppURL.folded(host))
        }
        if colon != nil, hostEnd == start { throw AppURLError(.invalidHost, at: start, in: bytes) }
        guard let colon, colon + 1 < end else { return (nil, end) }
        var port = 0
        for index in (colon + 1)..<end {
            guard bytes[index].isDigit, port <= 65_535 else {
                throw AppURLError(.invalidPort, at: index, in: bytes)
            }
            port = port * 10 + Int(bytes[index] - .zero)
        }
        guard let port = UInt16(exactly: port) else {
            throw AppURLError(.invalidPort, at: colon + 1, in: bytes)
        }
        return (port, end)
    }

    private func parsePath(from start: Int, to end: Int, into segments: inout [String]) throws(AppURLError) {
        var segmentStart = start
        for index in start...end where index == end || bytes[index] == .slash {
            if index > segmentStart {
                segments.append(try text(segmentStart, index, plusIsSpace: false))
            }
            segmentStart = index + 1
        }
    }

    private func parseQuery(from start: Int, to end: Int) throws(AppURLError) -> [AppURL.QueryItem] {
        var items: [AppURL.QueryItem] = []
        var itemStart = start
        var equals: Int?
        for index in start...end {
            guard index == end || bytes[index] == .ampersand else {
                if bytes[index] == .equals, equals == nil { equals = index }
                continue
            }
            if index > itemStart {
                let name = try text(itemStart, equals ?? index, plusIsSpace: true)
                let value = try equals.map { at throws(AppURLError) in
                    try text(at + 1, index, plusIsSpace: true)
                }
                items.append(AppURL.QueryItem(name: name, value: value ?? ""))
            }
            itemStart = index + 1
            equals = nil
        }
        return items
    }

    /// Decodes all bytes as one segment.
    func wholeText() throws(AppURLError) -> String {
        try text(0, bytes.count, plusIsSpace: false)
    }

    /// Decodes a range of bytes.
    private func text(_ start: Int, _ end: Int, plusIsSpace: Bool) throws(AppURLError) -> String {
        for index in start..<end where bytes[index] == .percent || (plusIsSpace && bytes[index] == .plus) {
            return try decoded(start, end, plusIsSpace: plusIsSpace)
        }
        return try checked(String(decoding: bytes[start..<end], as: UTF8.self), start)
    }

    private func checked(_ text: String, _ start: Int) throws(AppURLError) -> String {
        if Self.hasTooManyMarks(text) { throw AppURLError(.tooManyMarks, at: start, in: bytes) }
        return text
    }

    /// Whether the text contains more than ``AppURL/maximumMarks`` consecutive combining marks.
    ///
    /// Comparing or hashing a `String` first sorts consecutive marks, in quadratic time: 32,000 marks take
    /// seconds.
    static func hasTooManyMarks(_ text: String) -> Bool {
        var marks = 0
        for scalar in text.unicodeScalars {
            // U+0300 is the first mark. The general category is used because some marks have combining class 0.
            guard scalar.value >= 0x300 else {
                marks = 0
                continue
            }
            switch scalar.properties.generalCategory {
            case .nonspacingMark, .spacingMark, .enclosingMark: marks += 1
            default: marks = 0
            }
            if marks > AppURL.maximumMarks { return true }
        }
        return false
    }

    private func decoded(_ start: Int, _ end: Int, plusIsSpace: Bool) throws(AppURLError) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(end - start)
        var firstPercent: Int?
        var index = start
        while index < end {
            switch bytes[index] {
            case .percent:
                guard index + 2 < end, let high = bytes[index + 1].hexadecimalValue,
                    let low = bytes[index + 2].hexadecimalValue
                else { throw AppURLError(.invalidPercentSequence, at: index, in: bytes) }
                decoded.append(high << 4 | low)
                firstPercent = firstPercent ?? index
                index += 3
            case .plus where plusIsSpace:
                decoded.append(.space)
                index += 1
            case let byte:
                decoded.append(byte)
                index += 1
            }
        }
        guard let text = String(validating: decoded, as: UTF8.self) else {
            throw AppURLError(.percentSequenceNotUTF8, at: firstPercent ?? start, in: bytes)
        }
        return try checked(text, start)
    }
}
