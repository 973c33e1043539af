import Foundation

/// The parts of an absolute URL (RFC 3986, appendix B), each as it stands in the URL's text.
///
/// `URLComponents` would do, but takes longer than all else that is done for an answer from memory.
struct URLParts {
    typealias Bytes = ArraySlice<UInt8>

    let scheme: Bytes
    /// What stands before the host, without its "@".
    let userInfo: Bytes?
    /// Empty when the URL names none.
    let host: Bytes
    let port: Bytes?
    let path: Bytes
    let query: Bytes?
    /// The whole text.
    let text: Bytes

    /// Nil when the URL is relative.
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
        // The colons of an IPv6 address stand in brackets.
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

    /// The URL with a path behind its own, one slash between them, and an escaped query behind its own. Its
    /// fragment stays at the end. Nil when that makes no URL.
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

    /// The URL in one spelling, appended to `result`: scheme and host in lower case, no user, no default port,
    /// no fragment, each escape where it must be, the query sorted by name. Values of one name keep their order.
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
        // The library's own queries are sorted.
        if zip(pairs, pairs.dropFirst()).allSatisfy({ !precedes($1.name, $0.name) }) { return }
        pairs.sort { one, other in
            precedes(one.name, other.name)
                || (!precedes(other.name, one.name) && one.name.lowerBound < other.name.lowerBound)
        }
        result.removeSubrange(start...)
        result.append(
            contentsOf: pairs.map { written[$0.pair] }.joined(separator: CollectionOfOne(UInt8(ascii: "&"))))
    }

    /// The segments of a path are kept apart; a slash that is escaped is part of one.
    private static let slash = PercentEncoding.Kept("/")
    /// "+" may stand for a space, so it is not the same as "%2B".
    private static let plus = PercentEncoding.Kept("+")

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
    }
}
