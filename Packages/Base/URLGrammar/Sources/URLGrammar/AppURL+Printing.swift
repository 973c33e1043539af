extension AppURL: CustomStringConvertible {
    /// The URL's canonical text. Parsing the text gives an equal URL.
    ///
    /// All characters except ASCII letters, digits, `-`, `.`, `_` and `~` are percent-encoded (RFC 3986, 2.3),
    /// including spaces. A URL with neither a scheme nor a host begins with its first segment, as in `bybus_vc`.
    ///
    /// - Complexity: O(length).
    public var description: String {
        var text: [UInt8] = []
        if let scheme {
            text += scheme.utf8
            text.append(.colon)
        }
        if let host {
            text += [.slash, .slash]
            text.appendEncoded(host)
            if let port {
                text.append(.colon)
                text += String(port).utf8
            }
        }
        for (index, segment) in path.enumerated() {
            if index > 0 || scheme != nil || hasHost { text.append(.slash) }
            text.appendEncoded(segment)
        }
        if text.isEmpty { text.append(.slash) }
        for (index, item) in query.enumerated() {
            text.append(index == 0 ? .question : .ampersand)
            text.appendEncoded(item.name)
            text.append(.equals)
            text.appendEncoded(item.value)
        }
        if let fragment {
            text.append(.hash)
            text.appendEncoded(fragment)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Percent-encodes a string for use as one segment, name or value of a URL.
    ///
    /// Only RFC 3986's unreserved characters remain unencoded.
    ///
    /// - Complexity: O(length).
    public static func percentEncoded(_ text: String) -> String {
        var encoded: [UInt8] = []
        encoded.appendEncoded(text)
        return String(decoding: encoded, as: UTF8.self)
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
}

extension [UInt8] {
    fileprivate mutating func appendEncoded(_ text: String) {
        for byte in text.utf8 {
            switch byte {
            case .minus, .dot, UInt8(ascii: "_"), UInt8(ascii: "~"): append(byte)
            case let byte where byte.isDigit || byte.isLetter: append(byte)
            default:
                append(.percent)
                append(contentsOf: hexadecimal(byte).utf8)
            }
        }
    }
}
