extension AppURL {
    /// Percent-encodes a string for use as one segment, name or value of a URL.
    ///
    /// Only RFC 3986's unreserved characters remain unencoded (RFC 3986, 2.3).
    ///
    /// - Complexity: O(length).
    public static func percentEncoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case .minus, .dot, UInt8(ascii: "_"), UInt8(ascii: "~"): encoded.append(byte)
            case let byte where byte.isDigit || byte.isLetter: encoded.append(byte)
            default:
                encoded.append(.percent)
                encoded.append(contentsOf: hexadecimal(byte).utf8)
            }
        }
        return String(decoding: encoded, as: UTF8.self)
    }

    /// Decodes a percent-encoded segment of a path, where `+` is a plus sign.
    ///
    /// - Parameter text: One encoded segment of a URL.
    /// - Returns: The decoded text.
    /// - Throws: ``AppURLError`` for an invalid percent sequence, bytes that are not UTF-8, or too many combining
    ///   marks.
    /// - Complexity: O(length).
    public static func percentDecoded(_ text: some StringProtocol) throws(AppURLError) -> String {
        try AppURLParser(Array(text.utf8)).wholeText()
    }

    /// Quotes a string for display in a message, truncated to its first 200 code points.
    ///
    /// Control and invisible format characters are escaped, so that untrusted text can neither forge log lines
    /// nor send commands to a terminal.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The text in quotes, for display and not for parsing.
    public static func quoted(_ text: String) -> String {
        var shown = ""
        for scalar in text.unicodeScalars.prefix(200) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator:
                shown += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: shown.unicodeScalars.append(scalar)
            }
        }
        return text.unicodeScalars.dropFirst(200).isEmpty ? "\"\(shown)\"" : "\"\(shown)…\""
    }

    /// Whether a parameter's name is reserved because it begins with `@`.
    ///
    /// Reserved names are dropped from calls from outside the app. The test checks the first code point, because
    /// `hasPrefix` compares characters and would miss an `@` that is followed by a joiner or a mark.
    ///
    /// - Parameter name: The decoded name.
    /// - Returns: Whether the name is reserved.
    public static func isReserved(_ name: String) -> Bool { name.utf8.first == .at }

    /// Whether a decoded text may be a host: it is ASCII, and no part of it is punycode.
    ///
    /// Systems rewrite other letters of a host as punycode (`xn--`), which is another address.
    public static func isHost(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 < 0x80 }
            && !(text.utf8.contains(.minus)
                && text.lowercased().split(separator: ".").contains { $0.hasPrefix("xn--") })
    }

    /// A name of a host or a target in lower case, for comparing without case.
    ///
    /// Only ASCII letters change, because a host is ASCII.
    ///
    /// - Complexity: O(length), without an allocation if the name is in lower case already.
    public static func folded(_ name: String) -> String {
        guard name.utf8.contains(where: { $0.isUpperCaseLetter }) else { return name }
        return String(decoding: name.utf8.map { $0.isUpperCaseLetter ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
