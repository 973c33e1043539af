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
            location: request.url?.canonical ?? "")
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
