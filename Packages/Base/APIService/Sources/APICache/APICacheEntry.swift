import APIService
import APITransport
import Digests
import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A stored response.
public struct APICacheEntry: Sendable, Hashable {
    /// The metadata of a stored response.
    struct Head: Sendable, Hashable, Codable {
        var url: URL
        var statusCode: Int
        var fields: [String: String]
        var stored: Date
        var expires: Date?
        /// The digests of the request's header fields that the response's `Vary` names; "" for a missing field. The
        /// values themselves are not stored, because they may be secrets.
        var vary: [String: String]
        /// The date when the response's age was 0; `nil` means ``stored``.
        var born: Date?
        /// Whether the response was stored in memory as well as on disk.
        var isForMemory = false
    }

    /// Keeps the last `HTTPURLResponse` and its age in seconds, because creating a response takes longer than a lookup.
    private final class Made: Sendable {
        let last = Locked<(age: Int?, response: HTTPURLResponse?)>((nil, nil))
    }

    let head: Head

    /// The body.
    public let body: Data

    /// Shared by all copies, because they have the same head.
    private let made = Made()

    /// Creates an entry that is fresh until `expires`, or forever if `expires` is `nil`. The entry omits cookies, and
    /// the user name and the password of the URL.
    ///
    /// Returns `nil` if the response has no URL, has `Cache-Control: no-store`, is partial (206), or has `Vary: *`,
    /// which no later request is certain to match.
    public init?(
        _ response: HTTPURLResponse, body: Data, for request: URLRequest, stored: Date, expires: Date?
    ) {
        guard let url = response.url?.withoutUser, response.statusCode != 206 else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            fields[name.lowercased()] = value
        }
        for name in Self.unstored(fields) { fields[name] = nil }
        head = Head(
            url: url, statusCode: response.statusCode, fields: fields, stored: stored,
            expires: expires, vary: Self.selection(fields, request))
        self.body = body
        guard isStorable else { return nil }
    }

    /// Returns the entry as it is stored in this mode.
    func stored(_ mode: APICacheWriteMode) -> APICacheEntry {
        var head = head
        head.isForMemory = mode.includesMemory
        return APICacheEntry(head: head, body: body)
    }

    init(head: Head, body: Data) { (self.head, self.body) = (head, body) }

    /// The response's head, with field names in lower case.
    public var response: HTTPURLResponse? { response(age: nil) }

    /// Whether the metadata and the bodies are equal.
    public static func == (left: Self, right: Self) -> Bool {
        left.head == right.head && left.body == right.body
    }

    /// Hashes the metadata and the body.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(head)
        hasher.combine(body)
    }

    /// Returns the response's head with its age, as RFC 9111, 4 requires of a response from a cache.
    func response(at now: Date) -> HTTPURLResponse? {
        response(age: Int(min(age(at: now), 2_147_483_648)))
    }

    private func response(age: Int?) -> HTTPURLResponse? {
        made.last.withLock { last in
            if last.response == nil || last.age != age {
                var fields = head.fields
                if let age { fields["age"] = String(age) }
                last.response = HTTPURLResponse(
                    url: head.url, statusCode: head.statusCode, httpVersion: nil, headerFields: fields)
                last.age = age
            }
            return last.response
        }
    }

    /// Returns the stored response as the answer to a request, with its age at `now`.
    func answer(to request: URLRequest, _ source: APIResponseSource, at now: Date) -> APIAnswer? {
        guard let response = response(at: now) else { return nil }
        var answer = APIAnswer(request: request, response: response, body: body)
        answer.source = source
        return answer
    }

    /// The date when the response was stored.
    public var stored: Date { head.stored }

    /// The date when the response expires; `nil` if it never expires.
    public var expires: Date? { head.expires }

    /// The approximate size in bytes.
    public var cost: Int {
        body.count + 256 + head.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
    }

    /// Whether the response's header fields allow storing it.
    var isStorable: Bool {
        head.vary["*"] == nil && !control.has("no-store")
    }

    /// Returns the digests of the request's header fields that `Vary` names.
    private static func selection(_ fields: [String: String], _ request: URLRequest) -> [String: String] {
        var selection: [String: String] = [:]
        for name in list(fields["vary"]) { selection[name] = digest(request.value(forHTTPHeaderField: name)) }
        return selection
    }

    /// Returns the digest of a header field's value; "" for a missing field.
    static func digest(_ value: String?) -> String { value.map { Digest.sha256(Data($0.utf8)) } ?? "" }

    /// The header fields that validate the entry with the server; empty if it has no validator.
    var conditions: [(name: String, value: String)] {
        var conditions: [(name: String, value: String)] = []
        if let tag = head.fields["etag"] { conditions.append(("If-None-Match", tag)) }
        if let date = head.fields["last-modified"] { conditions.append(("If-Modified-Since", date)) }
        // A request with a control character in a field would not be sent.
        return conditions.filter { APIHeaders.Field(name: $0.name, value: $0.value).isValid }
    }

    /// Returns the entry, updated with the head of a 304 response.
    func validated(by response: HTTPURLResponse, for request: URLRequest, stored: Date) -> APICacheEntry {
        var head = head
        // These fields describe the exchange, not the body: a 304 without them is not as old as the stored response.
        (head.fields["age"], head.fields["date"]) = (nil, nil)
        for (name, value) in response.allHeaderFields {
            // RFC 9111, 3.2: keep the fields that describe the stored body.
            guard let name = (name as? String)?.lowercased(), let value = value as? String,
                !["content-length", "content-encoding", "content-type", "content-range", "transfer-encoding"]
                    .contains(name)
            else { continue }
            head.fields[name] = value
        }
        for name in Self.unstored(head.fields) { head.fields[name] = nil }
        (head.stored, head.expires, head.born) = (stored, nil, nil)
        head.vary = Self.selection(head.fields, request)
        return APICacheEntry(head: head, body: body)
    }

    /// Returns the members of a list field, in lower case.
    private static func list(_ field: String?) -> [String] {
        (field ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }.filter { !$0.isEmpty }
    }
}
