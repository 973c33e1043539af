import Foundation

extension URL {
    /// Returns the URL with `path` appended to its path, with exactly one slash between the two, and with
    /// `escapedQuery` appended to its query. The fragment stays at the end. Returns `nil` if the result is
    /// not a URL.
    package func appending(path: String, escapedQuery: String) -> URL? {
        let text = Array(absoluteString.utf8)
        let fragment = text.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let query = text[..<fragment].firstIndex(of: UInt8(ascii: "?"))
        var result = Array(text[..<(query ?? fragment)])
        result.reserveCapacity(text.count + path.utf8.count + escapedQuery.utf8.count + 2)
        if !path.isEmpty {
            if result.last != UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
            let rest = path.utf8.first == UInt8(ascii: "/") ? Substring(path.utf8.dropFirst()) : path[...]
            PercentEncoding.append(escaping: rest, keeping: PercentEncoding.path, to: &result)
        }
        guard !PercentEncoding.hasDotSegment(result) else { return nil }
        if let query { result.append(contentsOf: text[query..<fragment]) }
        if !escapedQuery.isEmpty {
            if query == nil {
                result.append(UInt8(ascii: "?"))
            } else if let last = result.last, last != UInt8(ascii: "?"), last != UInt8(ascii: "&") {
                result.append(UInt8(ascii: "&"))
            }
            result.append(contentsOf: escapedQuery.utf8)
        }
        result.append(contentsOf: text[fragment...])
        return URL(string: String(decoding: result, as: UTF8.self))
    }
}

/// Percent-encoding as specified by RFC 3986.
package enum PercentEncoding {
    /// The bytes that are not escaped: the unreserved ones (letters, digits and `-._~`), and possibly others.
    package struct Kept: Sendable {
        private var bytes = [Bool](repeating: false, count: 256)

        /// Creates a set of the unreserved bytes and the bytes of `others`.
        package init(_ others: String = "") {
            let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
            for byte in (unreserved + others).utf8 { bytes[Int(byte)] = true }
        }

        package func contains(_ byte: UInt8) -> Bool { bytes[Int(byte)] }
    }

    /// Only the unreserved bytes.
    package static let unreserved = Kept()
    /// Whether a segment of the path is `.` or `..`, escaped or not. Some clients would resolve such a segment (RFC 3986,
    /// 5.2.4), others would send it, and the server might resolve it.
    static func hasDotSegment(_ url: [UInt8]) -> Bool {
        var segment = url.startIndex
        while let slash = url[segment...].firstIndex(of: UInt8(ascii: "/")) {
            if isDots(url[segment..<slash]) { return true }
            segment = slash + 1
        }
        return isDots(url[segment...])
    }

    private static func isDots(_ segment: ArraySlice<UInt8>) -> Bool {
        guard let first = segment.first, first == UInt8(ascii: ".") || first == UInt8(ascii: "%") else {
            return false
        }
        let text = String(decoding: segment, as: UTF8.self).lowercased().replacing("%2e", with: ".")
        return text == "." || text == ".."
    }

    /// The bytes that are not escaped in a path, including its slashes.
    static let path = Kept("/!$&'()*+,;=:@")

    /// Escapes every byte of `text` that is not in `kept`.
    package static func escape(_ text: String, keeping kept: Kept = unreserved) -> String {
        var result: [UInt8] = []
        append(escaping: text[...], keeping: kept, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Appends `text`, escaping every byte that is not in `kept`.
    package static func append(
        escaping text: Substring, keeping kept: Kept = unreserved, to result: inout [UInt8]
    ) {
        for byte in text.utf8 {
            if kept.contains(byte) { result.append(byte) } else { append(escaped: byte, to: &result) }
        }
    }

    package static func append(escaped byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        result.append(digit(byte >> 4))
        result.append(digit(byte & 15))
    }

    /// Whether `text` is a token (RFC 9110, 5.6.2), as methods and the names of header fields must be.
    package static func isToken(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy(token.contains)
    }

    private static let token = Kept("!#$%&'*+^`|")

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}

extension PercentEncoding {
    /// Appends the canonical form of `bytes`, which are already escaped. The canonical form escapes only the bytes that
    /// need escaping. Bytes in `others` stay as they are, because their escaped and unescaped forms have different
    /// meanings. A `%` that is not followed by two hexadecimal digits is itself escaped.
    static func append(
        canonical bytes: some Collection<UInt8>, keeping others: Kept = unreserved, to result: inout [UInt8]
    ) {
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(value),
                let low = rest.dropFirst().first.flatMap(value)
            {
                rest = rest.dropFirst(2)
                let meant = high << 4 | low
                if unreserved.contains(meant) {
                    result.append(meant)
                } else {
                    append(escaped: meant, to: &result)
                }
            } else if others.contains(byte) {
                result.append(byte)
            } else {
                append(escaped: byte, to: &result)
            }
        }
    }

    private static func value(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
