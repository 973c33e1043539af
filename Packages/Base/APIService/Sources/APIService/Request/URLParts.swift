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
