import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an answer is stored under. Equal requests have equal keys, in every process and at every launch.
public struct APICacheKey: Sendable, Hashable, CustomStringConvertible {
    /// Whose answers these are, as a digest; nobody else's keys have it.
    public let partition: String

    /// What was asked: method, URL, the header fields that change the answer, body, and the cache's extra key.
    public let text: String

    /// A key of these parts. `user` may be anything that differs between users; nil stands for no user.
    public init(user: String?, text: String) {
        self.init(identity: user.map { "user:" + $0 }, text: text)
    }

    private init(identity: String?, text: String) {
        partition = identity.map { String(SHA256.hex(Data($0.utf8)).prefix(32)) } ?? "public"
        self.text = text
    }

    /// The key of a request.
    ///
    /// - Parameters:
    ///   - request: As it would be sent.
    ///   - user: Whose answer it is. When nil, it is told by the request's credentials, if it has any.
    ///   - cache: For its extra key and its own way to make keys.
    init(_ request: URLRequest, user: String?, cache: APICache) {
        let standard = Self.text(request, extra: cache.extraCacheKey)
        self.init(
            identity: user.map { "user:" + $0 } ?? Self.credentials(request),
            text: cache.customCacheKeyHandler?(standard) ?? standard)
    }

    /// The text, and whose it is.
    public var description: String { "\(partition) \(text)" }

    /// The header fields that change an answer, whatever its `Vary` says.
    private static let significant = ["Accept", "Accept-Language", "Content-Type", "Range"]

    private static let credentialFields = ["Authorization", "Cookie"]

    /// One line a part; every part is escaped, so no two requests have the same lines.
    static func text(_ request: URLRequest, extra: String) -> String {
        var lines = [PercentEncoding.escape(request.httpMethod ?? "GET"), canonical(request.url)]
        for name in significant {
            guard let value = request.value(forHTTPHeaderField: name) else { continue }
            lines.append("\(name.lowercased()): \(PercentEncoding.escape(value))")
        }
        if let body = request.httpBody, !body.isEmpty { lines.append("body: \(SHA256.hex(body))") }
        if !extra.isEmpty { lines.append("extra: \(PercentEncoding.escape(extra))") }
        return lines.joined(separator: "\n")
    }

    private static func credentials(_ request: URLRequest) -> String? {
        let values = credentialFields.compactMap { name in
            request.value(forHTTPHeaderField: name).map { "\(name): \(PercentEncoding.escape($0))" }
        }
        return values.isEmpty ? nil : "credentials:" + values.joined(separator: "\n")
    }

    /// The URL in one spelling: scheme and host in lower case, no default port, no fragment, each escape where
    /// it must be, the query sorted by name. Values of one name keep their order.
    static func canonical(_ url: URL?) -> String {
        guard let url, let parts = URLComponents(url: url, resolvingAgainstBaseURL: true) else { return "" }
        let scheme = parts.scheme?.lowercased() ?? ""
        let host = parts.percentEncodedHost?.lowercased() ?? ""
        let isDefault = (scheme == "http" && parts.port == 80) || (scheme == "https" && parts.port == 443)
        let port = parts.port.flatMap { isDefault ? nil : ":\($0)" } ?? ""
        let path = parts.percentEncodedPath.split(separator: "/", omittingEmptySubsequences: false).map {
            PercentEncoding.canonical($0)
        }.joined(separator: "/")
        var text = "\(scheme)://\(host)\(port)\(path.isEmpty ? "/" : path)"
        if let query = parts.percentEncodedQuery {
            // "+" may stand for a space, so it is not the same as "%2B".
            let pairs = query.split(separator: "&").map { pair in
                let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return halves.map { PercentEncoding.canonical($0, keeping: "+") }
            }
            let sorted = pairs.enumerated().sorted { left, right in
                let (one, other) = (left.element[0], right.element[0])
                return one == other ? left.offset < right.offset : one < other
            }
            text += "?" + sorted.map { $0.element.joined(separator: "=") }.joined(separator: "&")
        }
        return text
    }
}
