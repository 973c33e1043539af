import Foundation

/// The parts of an absolute URL (RFC 3986, appendix B), exactly as they appear in its text.
///
/// `URLComponents` is not used, because it takes longer than all other work of a memory cache hit.
struct URLParts {
    typealias Bytes = ArraySlice<UInt8>

    let scheme: Bytes
    /// The user information before the host, without the "@".
    let userInfo: Bytes?
    /// Empty if the URL has no host.
    let host: Bytes
    let port: Bytes?
    let path: Bytes
    let query: Bytes?
    /// The text of the whole URL.
    let text: Bytes

    /// Returns `nil` if the URL is relative.
    init?(_ url: URL) {
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

    /// Appends the canonical form of the URL to `result`: scheme and host in lower case; no user, default
    /// port or fragment; only the necessary escapes; the query sorted by name. Values with the same name keep
    /// their order.
    func appendCanonical(to result: inout [UInt8]) {
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
        if path.isEmpty { result.append(UInt8(ascii: "/")) }
        PercentEncoding.append(canonical: path, keeping: Self.slash, to: &result)
        if let query {
            result.append(UInt8(ascii: "?"))
            appendSorted(query, to: &result)
        }
    }

    private func appendSorted(_ query: Bytes, to result: inout [UInt8]) {
        let start = result.count
        var pairs: [(name: Range<Int>, pair: Range<Int>)] = []
        for pair in query.split(separator: UInt8(ascii: "&")) {
            if result.count > start { result.append(UInt8(ascii: "&")) }
            let first = result.count
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            PercentEncoding.append(canonical: name, keeping: Self.plus, to: &result)
            let end = result.count
            if name.endIndex < pair.endIndex {
                result.append(UInt8(ascii: "="))
                PercentEncoding.append(
                    canonical: pair[(name.endIndex + 1)...], keeping: Self.plus, to: &result)
            }
            pairs.append((first..<end, first..<result.count))
        }
        let written = result
        func precedes(_ one: Range<Int>, _ other: Range<Int>) -> Bool {
            written[one].lexicographicallyPrecedes(written[other])
        }
        // The library's own queries are already sorted.
        if zip(pairs, pairs.dropFirst()).allSatisfy({ !precedes($1.name, $0.name) }) { return }
        pairs.sort { one, other in
            precedes(one.name, other.name)
                || (!precedes(other.name, one.name) && one.name.lowerBound < other.name.lowerBound)
        }
        result.removeSubrange(start...)
        result.append(
            contentsOf: pairs.map { written[$0.pair] }.joined(separator: CollectionOfOne(UInt8(ascii: "&"))))
    }

    /// A slash separates the segments of a path, but an escaped slash is part of a segment.
    private static let slash = PercentEncoding.Kept("/")
    /// "+" may mean a space, so it differs from "%2B".
    private static let plus = PercentEncoding.Kept("+")

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
