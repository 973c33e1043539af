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
        self.init(identity: Self.identity(user.map { [$0] } ?? []), text: text)
    }

    private init(identity: String?, text: String) {
        partition = identity.map { String(SHA256.hex(Data($0.utf8)).prefix(32)) } ?? "public"
        self.text = text
    }

    /// The key of a request.
    ///
    /// - Parameters:
    ///   - request: As it would be sent.
    ///   - users: Whose answer it is, as ``APISettings/users`` has it. When empty, it is told by the request's credentials,
    ///     if it has any.
    ///   - credentialFields: The header fields, in lower case, that carry credentials.
    ///   - cache: For its extra key and its own way to make keys.
    init(
        _ request: URLRequest, users: [String],
        credentialFields: Set<String> = RedirectPolicy.standardFields, cache: APICache
    ) {
        let standard = Self.text(
            request, Self.fields(Self.significant, of: request), extra: cache.extraCacheKey)
        self.init(
            identity: Self.identity(users) ?? Self.credentials(request, credentialFields),
            text: cache.customCacheKeyHandler?(standard) ?? standard)
    }

    /// What requests have in common that may share one exchange: all that is known of them before the accessories adapt
    /// them, each header field included. For which of them change the answer, its `Vary` tells, and only when it is there.
    init(sharing request: URLRequest, users: [String]) {
        let fields = (request.allHTTPHeaderFields ?? [:]).map { (name: $0.lowercased(), value: $1) }
        let credentials = request.url.flatMap { URLParts($0)?.userInfo } ?? []
        self.init(
            identity: Self.identity(users),
            text: Self.text(
                request, fields.sorted { $0.name < $1.name },
                extra: String(decoding: credentials, as: UTF8.self)))
    }

    /// The text, and whose it is.
    public var description: String { "\(partition) \(text)" }

    /// The header fields that change an answer, whatever its `Vary` says.
    private static let significant = ["accept", "accept-language", "content-type", "range"]

    /// The users' own, or nil for no user. Each is escaped, so that one is never taken for two.
    private static func identity(_ users: [String]) -> String? {
        users.isEmpty ? nil : "user:" + users.map { PercentEncoding.escape($0) }.joined(separator: "\n")
    }

    /// One line a part; every part is escaped, so no two requests have the same lines.
    private static func text(
        _ request: URLRequest, _ fields: [(name: String, value: String)], extra: String
    ) -> String {
        let newline = UInt8(ascii: "\n")
        var text: [UInt8] = []
        text.reserveCapacity(256)
        PercentEncoding.append(escaping: (request.httpMethod ?? "GET").utf8, to: &text)
        text.append(newline)
        request.url.flatMap { URLParts($0) }?.appendCanonical(to: &text)
        for (name, value) in fields {
            text.append(newline)
            text.append(contentsOf: "\(name): ".utf8)
            PercentEncoding.append(escaping: value.utf8, to: &text)
        }
        if let body = request.httpBody, !body.isEmpty {
            text.append(contentsOf: "\nbody: \(SHA256.hex(body))".utf8)
        }
        if !extra.isEmpty {
            text.append(contentsOf: "\nextra: ".utf8)
            PercentEncoding.append(escaping: extra.utf8, to: &text)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The request's fields and its URL's user, which tell who asks.
    private static func credentials(_ request: URLRequest, _ names: Set<String>) -> String? {
        var values: [String] = []
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            // There are few names, and mostly none has the length: faster than to look for it in lower case.
            guard let name = names.first(where: { $0.isSameField(as: name) }) else { continue }
            values.append("\(name): \(PercentEncoding.escape(value))")
        }
        values.sort()
        if let user = request.url.flatMap({ URLParts($0)?.userInfo }) {
            values.append("url: \(String(decoding: user, as: UTF8.self))")
        }
        return values.isEmpty ? nil : "credentials:" + values.joined(separator: "\n")
    }

    /// The request's fields of these names, in the names' order.
    private static func fields(_ names: [String], of request: URLRequest) -> [(name: String, value: String)] {
        guard let all = request.allHTTPHeaderFields, !all.isEmpty else { return [] }
        return names.compactMap { name in
            all.first { $0.key.isSameField(as: name) }.map { (name, $0.value) }
        }
    }
}

extension String {
    /// Whether both name the same header field: ASCII without regard to case.
    func isSameField(as other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).allSatisfy { one, other in
                one == other
                    || (one ^ other == 0x20 && (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(one | 0x20))
            }
    }
}
