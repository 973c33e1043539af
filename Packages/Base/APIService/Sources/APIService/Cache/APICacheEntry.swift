import Foundation
import Locking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One stored answer.
public struct APICacheEntry: Sendable, Hashable {
    /// What is known of an answer beside its body.
    struct Head: Sendable, Hashable {
        var url: URL
        var statusCode: Int
        var fields: [String: String]
        var stored: Date
        var expires: Date?
        /// The request's fields that the answer's `Vary` names, as they were; "" for one that was not there.
        var vary: [String: String]
        /// Whether it was stored in memory as well as on disk.
        var isForMemory = false
    }

    /// The head as Foundation has it, made when it is first asked for: that takes longer than a look-up.
    private final class Made: Sendable {
        let response = Locked<HTTPURLResponse?>(nil)
    }

    let head: Head

    /// The body.
    public let body: Data

    /// Shared by all copies, which have the same head.
    private let made = Made()

    /// An answer that is stored at `stored` and is fresh until `expires`; nil: for ever.
    ///
    /// Nil for an answer without a URL, one that says `Cache-Control: no-store`, a part (206), or one whose
    /// `Vary` is `*`: no request can be known to equal this one.
    public init?(
        _ response: HTTPURLResponse, body: Data, for request: URLRequest, stored: Date, expires: Date?
    ) {
        guard let url = response.url, response.statusCode != 206 else { return nil }
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields {
            guard let name = name as? String, let value = value as? String else { continue }
            fields[name.lowercased()] = value
        }
        head = Head(
            url: url, statusCode: response.statusCode, fields: fields, stored: stored, expires: expires,
            vary: Self.selection(fields, request))
        self.body = body
        guard isStorable else { return nil }
    }

    /// The entry as it is stored in this mode.
    func stored(_ mode: APICacheWriteMode) -> APICacheEntry {
        var head = head
        head.isForMemory = mode.includesMemory
        return APICacheEntry(head: head, body: body)
    }

    init(head: Head, body: Data) { (self.head, self.body) = (head, body) }

    /// The answer's head, with names in lower case.
    public var response: HTTPURLResponse? {
        made.response.withLock { response in
            if response == nil {
                response = HTTPURLResponse(
                    url: head.url, statusCode: head.statusCode, httpVersion: nil, headerFields: head.fields)
            }
            return response
        }
    }

    /// Whether heads and bodies are the same.
    public static func == (left: Self, right: Self) -> Bool {
        left.head == right.head && left.body == right.body
    }

    /// Hashes what `==` compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(head)
        hasher.combine(body)
    }

    /// When it was stored.
    public var stored: Date { head.stored }

    /// When it stops being fresh; nil: never.
    public var expires: Date? { head.expires }

    /// About how many bytes it takes.
    public var cost: Int {
        body.count + 256 + head.fields.reduce(0) { $0 + $1.key.utf8.count + $1.value.utf8.count + 64 }
    }

    /// Whether what its fields say lets it be stored.
    var isStorable: Bool {
        head.vary["*"] == nil && !Self.list(head.fields["cache-control"]).contains("no-store")
    }

    /// The request's fields that `Vary` names.
    private static func selection(_ fields: [String: String], _ request: URLRequest) -> [String: String] {
        var selection: [String: String] = [:]
        for name in list(fields["vary"]) { selection[name] = request.value(forHTTPHeaderField: name) ?? "" }
        return selection
    }

    /// Whether it answers a request with these header fields: those that its `Vary` names are as they were in the
    /// request that it was the answer to.
    public func matches(_ request: URLRequest) -> Bool {
        head.vary.allSatisfy { (request.value(forHTTPHeaderField: $0.key) ?? "") == $0.value }
    }

    /// Whether it is fresh. One that claims to be from the future (the clock was set back) by more than a day
    /// is not.
    func isFresh(at now: Date) -> Bool {
        guard head.stored.timeIntervalSince(now) < 86_400 else { return false }
        return head.expires.map { now < $0 } ?? true
    }

    /// Until when it may stand in for a failing server.
    func usableOnError(until configured: Duration?, at now: Date) -> Bool {
        let own = Self.list(head.fields["cache-control"]).lazy.compactMap { directive -> Double? in
            guard directive.hasPrefix("stale-if-error=") else { return nil }
            return Double(directive.dropFirst("stale-if-error=".count))
        }.first
        guard let limit = configured.map({ $0 / .seconds(1) }) ?? own else { return false }
        guard let expires = head.expires else { return true }
        return now <= expires.addingTimeInterval(limit)
    }

    /// The fields that ask a server whether the entry still holds; empty when it has no validator.
    var conditions: [(name: String, value: String)] {
        var conditions: [(name: String, value: String)] = []
        if let tag = head.fields["etag"] { conditions.append(("If-None-Match", tag)) }
        if let date = head.fields["last-modified"] { conditions.append(("If-Modified-Since", date)) }
        return conditions
    }

    /// The entry after a server said (304) that it still holds for a request.
    func validated(
        by response: HTTPURLResponse, for request: URLRequest, stored: Date, expires: Date?
    ) -> APICacheEntry {
        var head = head
        for (name, value) in response.allHeaderFields {
            // RFC 9111, 3.2: what describes the body that did not come is kept.
            guard let name = (name as? String)?.lowercased(), let value = value as? String,
                !["content-length", "content-encoding", "content-type", "content-range", "transfer-encoding"]
                    .contains(name)
            else { continue }
            head.fields[name] = value
        }
        (head.stored, head.expires) = (stored, expires)
        head.vary = Self.selection(head.fields, request)
        return APICacheEntry(head: head, body: body)
    }

    /// The members of a list field, in lower case.
    private static func list(_ field: String?) -> [String] {
        (field ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }.filter { !$0.isEmpty }
    }
}
