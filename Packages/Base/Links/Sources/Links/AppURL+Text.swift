extension AppURL {
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

    /// Whether a decoded text in lower case may be a host: it is ASCII, and no part of it is punycode.
    ///
    /// Systems rewrite other letters of a host as punycode (`xn--`), which is another address.
    public static func isHost(_ text: String) -> Bool {
        for byte in text.utf8 where byte == .minus || byte >= 0x80 {
            return text.utf8.allSatisfy { $0 < 0x80 }
                && !text.split(separator: ".").contains { $0.hasPrefix("xn--") }
        }
        return true
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
        return try parser.text()
    }
}
