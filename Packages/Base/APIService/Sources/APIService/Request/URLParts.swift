import Foundation

/// The parts of an absolute URL (RFC 3986, appendix B), exactly as they appear in its text.
///
/// `URLComponents` is not used, because it takes longer than all other work of a memory cache hit.
package struct URLParts {
    package typealias Bytes = ArraySlice<UInt8>

    package let scheme: Bytes
    /// The user information before the host, without the "@".
    package let userInfo: Bytes?
    /// Empty if the URL has no host.
    package let host: Bytes
    package let port: Bytes?
    package let path: Bytes
    package let query: Bytes?
    /// The text of the whole URL.
    package let text: Bytes

    /// Returns `nil` if the URL is relative.
    package init?(_ url: URL) {
        text = Array(url.absoluteString.utf8)[...]
        guard let colon = text.firstIndex(of: UInt8(ascii: ":")), colon > text.startIndex else { return nil }
        scheme = text[..<colon]
        guard !scheme.contains(where: Self.endsAuthority) else { return nil }
        var rest = text[(colon + 1)...]
        var authority: Bytes = []
        if rest.starts(with: [UInt8(ascii: "/"), UInt8(ascii: "/")]) {
            rest = rest.dropFirst(2)
            authority = rest.prefix { !Self.endsAuthority($0) }
            rest = rest[authority.endIndex...]
        }
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        userInfo = at.map { authority[..<$0] }
        let site = at.map { authority[($0 + 1)...] } ?? authority
        // The colons of an IPv6 address are in brackets.
        let last = site.lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "]") }
        if let last, site[last] == UInt8(ascii: ":") {
            (host, port) = (site[..<last], site[(last + 1)...])
        } else {
            (host, port) = (site, nil)
        }
        path = rest.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        rest = rest[path.endIndex...]
        query =
            rest.first == UInt8(ascii: "?") ? rest.dropFirst().prefix { $0 != UInt8(ascii: "#") } : nil
    }

    /// Returns the URL with a path appended to its own, separated by one slash, and with an escaped query
    /// appended to its own. Its fragment stays at the end. Returns `nil` if the result is not a URL.
    func url(path back: String = "", query added: String = "") -> URL? {
        var result = Array(text[..<path.endIndex])
        result.reserveCapacity(text.count + back.utf8.count + added.utf8.count + 2)
        if !back.isEmpty {
            if path.last != UInt8(ascii: "/") { result.append(UInt8(ascii: "/")) }
            let bytes = back.utf8.first == UInt8(ascii: "/") ? back.utf8.dropFirst() : back.utf8[...]
            PercentEncoding.append(escaping: bytes, keeping: PercentEncoding.path, to: &result)
        }
        if let query {
            result.append(UInt8(ascii: "?"))
            result.append(contentsOf: query)
        }
        if !added.isEmpty {
            if query == nil { result.append(UInt8(ascii: "?")) }
            if let last = query?.last, last != UInt8(ascii: "&") { result.append(UInt8(ascii: "&")) }
            result.append(contentsOf: added.utf8)
        }
        result.append(contentsOf: text[(query ?? path).endIndex...])
        return URL(string: String(decoding: result, as: UTF8.self))
    }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

/// Percent-encoding as specified by RFC 3986.
package enum PercentEncoding {
    /// The bytes that are not escaped: the unreserved ones (letters, digits and `-._~`), and possibly others.
    package struct Kept: Sendable {
        private var low: UInt64 = 0
        private var high: UInt64 = 0

        /// Creates a set of the unreserved bytes and the bytes of `others`, which must be ASCII.
        package init(_ others: String = "") {
            let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
            for byte in (unreserved + others).utf8 {
                if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte - 64) }
            }
        }

        package func contains(_ byte: UInt8) -> Bool {
            switch byte {
            case ..<64: low & 1 << UInt64(byte) != 0
            case ..<128: high & 1 << UInt64(byte - 64) != 0
            default: false
            }
        }
    }

    /// Only the unreserved bytes.
    package static let unreserved = Kept()
    /// The bytes that are not escaped in a path, including its slashes.
    static let path = Kept("/!$&'()*+,;=:@")

    /// Returns `text` with every byte escaped that is not in `kept`.
    package static func escape(_ text: some StringProtocol, keeping kept: Kept = unreserved) -> String {
        if text.utf8.allSatisfy(kept.contains) { return String(text) }
        var result: [UInt8] = []
        append(escaping: text.utf8, keeping: kept, to: &result)
        return String(decoding: result, as: UTF8.self)
    }

    /// Appends `bytes`, escaping every byte that is not in `kept`.
    package static func append(
        escaping bytes: some Sequence<UInt8>, keeping kept: Kept = unreserved, to result: inout [UInt8]
    ) {
        for byte in bytes {
            if kept.contains(byte) { result.append(byte) } else { append(escaped: byte, to: &result) }
        }
    }

    package static func append(escaped byte: UInt8, to result: inout [UInt8]) {
        result.append(UInt8(ascii: "%"))
        result.append(digit(byte >> 4))
        result.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
