import APIService
import APITransport
import Digests
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The key of a stored response. Equal requests have equal keys, in every process and on every launch.
public struct APICacheKey: Sendable, Hashable, CustomStringConvertible {
    /// A digest of the user that the response belongs to. Keys of different users have different partitions.
    public let partition: String

    /// Identifies the request by its method, URL, significant header fields and body, and the cache's extra key.
    public let text: String

    /// The canonical URL of the request. An unsafe request to this URL invalidates the response.
    public let location: String

    /// Creates a key. `user` is any string that differs between users; `nil` means no user.
    public init(user: String?, text: String) {
        self.init(identity: Self.identity(user.map { [$0] } ?? []), text: text, location: "")
    }

    private init(identity: String?, text: String, location: String) {
        partition = identity.map { String(Digest.sha256(Data($0.utf8)).prefix(32)) } ?? "public"
        (self.text, self.location) = (text, location)
    }

    /// Creates the key of a request.
    ///
    /// - Parameters:
    ///   - request: The request as it would be sent.
    ///   - users: The users that the response belongs to, from ``APISettings/users``. If there
    ///     are none, the credentials in the request, if any, identify the user.
    ///   - credentialFields: The header fields, in lower case, that carry credentials.
    ///   - cache: The source of the extra key and the custom key.
    init(
        _ request: URLRequest, users: [String?],
        credentialFields: Set<String> = RedirectPolicy.standardFields, cache: APICache
    ) {
        let standard = Self.text(
            request, Self.fields(Self.significant, of: request), extra: cache.extraCacheKey)
        let known = users.compactMap(\.self)
        self.init(
            identity: Self.identity(known) ?? Self.credentials(request, credentialFields),
            text: (cache.customCacheKeyHandler?(standard) ?? standard) + Self.positions(users),
            location: Self.location(request.url))
    }

    /// Distinguishes equal users of different accessories. They share a partition, because a user's responses are removed by
    /// the user's name. Empty if the first accessories have the users.
    private static func positions(_ users: [String?]) -> String {
        let positions = users.indices.filter { users[$0] != nil }
        guard let last = positions.last, last >= positions.count else { return "" }
        return "\nusers: " + positions.map { "\($0)" }.joined(separator: " ")
    }

    /// The partition and the text.
    public var description: String { "\(partition) \(text)" }

    /// Returns the canonical form of a URL.
    static func location(_ url: URL?) -> String {
        var location: [UInt8] = []
        url.flatMap { URLParts($0) }?.appendCanonical(to: &location)
        return String(decoding: location, as: UTF8.self)
    }

    /// The header fields that are part of every key, whatever `Vary` says.
    private static let significant = ["accept", "accept-language", "content-type", "range"]

    /// Returns the identity of these users; `nil` if the list is empty. Each user's string is escaped, so that
    /// one user cannot be mistaken for two.
    private static func identity(_ users: [String]) -> String? {
        users.isEmpty ? nil : "user:" + users.map { PercentEncoding.escape($0) }.joined(separator: "\n")
    }

    /// Returns the text of a key, one line per part. Every part is escaped, so that different requests never have the
    /// same text.
    private static func text(
        _ request: URLRequest, _ fields: [(name: String, value: String)], extra: String
    ) -> String {
        let newline = UInt8(ascii: "\n")
        var text: [UInt8] = []
        text.reserveCapacity(256)
        PercentEncoding.append(escaping: (request.httpMethod ?? "GET")[...], to: &text)
        text.append(newline)
        request.url.flatMap { URLParts($0) }?.appendCanonical(to: &text)
        for (name, value) in fields {
            text.append(newline)
            text.append(contentsOf: "\(name): ".utf8)
            PercentEncoding.append(escaping: value[...], to: &text)
        }
        if let body = request.httpBody, !body.isEmpty {
            text.append(contentsOf: "\nbody: \(Digest.sha256(body))".utf8)
        }
        if !extra.isEmpty {
            text.append(contentsOf: "\nextra: ".utf8)
            PercentEncoding.append(escaping: extra[...], to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the credentials in the request's header fields and URL, which identify the user; `nil` if the
    /// request has no credentials.
    private static func credentials(_ request: URLRequest, _ names: Set<String>) -> String? {
        var values: [String] = []
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            // Comparing with the few credential fields is faster than converting each name to lower case.
            guard let name = names.first(where: { $0.isSameField(as: name) }) else { continue }
            values.append("\(name): \(PercentEncoding.escape(value))")
        }
        values.sort()
        if let user = request.url.flatMap({ URLParts($0)?.userInfo }) {
            values.append("url: \(String(decoding: user, as: UTF8.self))")
        }
        return values.isEmpty ? nil : "credentials:" + values.joined(separator: "\n")
    }

    /// Returns the request's fields with these names, in the order of `names`.
    private static func fields(_ names: [String], of request: URLRequest) -> [(name: String, value: String)] {
        guard let all = request.allHTTPHeaderFields, !all.isEmpty else { return [] }
        return names.compactMap { name in
            all.first { $0.key.isSameField(as: name) }.map { (name, $0.value) }
        }
    }
}

/// The parts of an absolute URL (RFC 3986, appendix B), exactly as they appear in its text.
///
/// `URLComponents` is not used, because it takes longer than the rest of a memory cache hit.
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

    /// Returns `nil` if the URL is relative.
    init?(_ url: URL) {
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
    /// Appends the canonical form of the URL to `result`: scheme and host in lower case; no user, default
    /// port or fragment; only the necessary escapes.
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
        PercentEncoding.append(canonical: path, keeping: Self.keptInPath, to: &result)
        if let query {
            result.append(UInt8(ascii: "?"))
            PercentEncoding.append(canonical: query, keeping: Self.keptInQuery, to: &result)
        }
    }

    /// The reserved characters, whose escaped forms have a different meaning (RFC 3986, 2.2).
    private static let keptInPath = PercentEncoding.Kept("/!$&'()*+,;=:@[]")
    private static let keptInQuery = PercentEncoding.Kept("/?!$&'()*+,;=:@[]")

    private static func lowercased(_ byte: UInt8) -> UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
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
