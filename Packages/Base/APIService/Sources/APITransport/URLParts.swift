import Foundation

extension URL {
    /// The canonical form: scheme and host in lower case; no user, default port or fragment; only the necessary escapes.
    /// Empty if the URL is relative.
    package var canonical: String {
        var bytes: [UInt8] = []
        URLParts(self)?.appendCanonical(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The scheme, host and port in canonical form; `nil` if the URL has no host.
    package var origin: String? {
        guard let parts = URLParts(self), !parts.host.isEmpty else { return nil }
        var bytes: [UInt8] = []
        parts.appendOrigin(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

/// The parts of an absolute URL (RFC 3986, appendix B), exactly as they appear in its text.
///
/// `URLComponents` is not used, because it takes longer than the rest of a memory cache hit.
package struct URLParts {
    package typealias Bytes = ArraySlice<UInt8>

    let scheme: Bytes
    /// The user information before the host, without the "@".
    package let userInfo: Bytes?
    /// Empty if the URL has no host.
    let host: Bytes
    let port: Bytes?
    let path: Bytes
    let query: Bytes?

    /// Returns `nil` if the URL is relative.
    package init?(_ url: URL) {
        let text = Array(url.absoluteString.utf8)[...]
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

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }
}

extension URLParts {
    /// Appends ``Foundation/URL/canonical`` to `result`.
    package func appendCanonical(to result: inout [UInt8]) {
        appendOrigin(to: &result)
        if path.isEmpty { result.append(UInt8(ascii: "/")) }
        PercentEncoding.append(canonical: path, keeping: Self.keptInPath, to: &result)
        if let query {
            result.append(UInt8(ascii: "?"))
            PercentEncoding.append(canonical: query, keeping: Self.keptInQuery, to: &result)
        }
    }

    fileprivate func appendOrigin(to result: inout [UInt8]) {
        let start = result.count
        result.append(contentsOf: scheme.lazy.map(Self.lowercased))
        let isDefault =
            switch port.map({ String(decoding: $0, as: UTF8.self) }) {
            case nil, "": true
            case "80": result[start...].elementsEqual("http".utf8)
            case "443": result[start...].elementsEqual("https".utf8)
            default: false
            }
        result.append(contentsOf: "://".utf8)
        result.append(contentsOf: host.lazy.map(Self.lowercased))
        if !isDefault, let port {
            result.append(UInt8(ascii: ":"))
            result.append(contentsOf: port)
        }
    }

    /// The reserved characters, whose escaped forms have a different meaning (RFC 3986, 2.2).
    private static let keptInPath = PercentEncoding.Kept("/!$&'()*+,;=:@[]")
    private static let keptInQuery = PercentEncoding.Kept("/?!$&'()*+,;=:@[]")

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
