import APIService
import APITransport
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// For which requests a stored response may be used, and for how long (RFC 9111, 4.1 and 4.2).
extension APICacheEntry {
    /// Whether the entry may be used for a request: the header fields that the entry's `Vary` names have the
    /// same values as in the original request.
    func matches(_ request: URLRequest) -> Bool {
        head.vary.allSatisfy { Self.digest(request.value(forHTTPHeaderField: $0.key)) == $0.value }
    }

    var control: CacheControl { CacheControl(head.fields["cache-control"]) }

    /// Whether the server must validate the response, either once it has expired or before every use (5.2.2.2
    /// and 5.2.2.4).
    var mustRevalidate: Bool { control.has("must-revalidate") || control.has("no-cache") }

    /// Returns the age of the response (4.2.3).
    func age(at now: Date) -> TimeInterval { max(0, now.timeIntervalSince(head.born ?? head.stored)) }

    /// Whether the response may be used for a request without asking the server. Returns false for a response that was
    /// stored in the future: the clock has been set back since, so the response's age (RFC 9111, 4.2.3) is unknown.
    func isFresh(at now: Date, for request: URLRequest? = nil) -> Bool {
        guard head.stored <= now, !control.has("no-cache"),
            head.expires.map({ now < $0 }) ?? true
        else { return false }
        let wish = CacheControl(request?.value(forHTTPHeaderField: "Cache-Control"))
        if wish.has("no-cache") { return false }
        if let limit = wish.seconds("max-age"), age(at: now) > limit { return false }
        if let rest = wish.seconds("min-fresh"), let expires = head.expires {
            return now.addingTimeInterval(rest) <= expires
        }
        return true
    }

    /// Whether the response may be used when the server fails or cannot be reached (4.2.4; RFC 5861, 4).
    func usableOnError(until configured: Duration?, at now: Date) -> Bool {
        guard !mustRevalidate,
            let limit = configured.map({ $0 / .seconds(1) }) ?? control.seconds("stale-if-error")
        else { return false }
        guard let expires = head.expires else { return true }
        return now <= expires.addingTimeInterval(limit)
    }

    /// Whether a 304 refers to this response: the two have the same ETag, or one of them has none (4.3.4).
    func isDescribed(by response: HTTPURLResponse) -> Bool {
        guard let tag = response.value(forHTTPHeaderField: "ETag"), let own = head.fields["etag"] else {
            return true
        }
        func opaque(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
        return opaque(tag) == opaque(own)
    }

    /// Returns the response with its age and its expiry set.
    ///
    /// - Parameters:
    ///   - expiry: The expiry that the request sets. It replaces the server's expiry, except that a response
    ///     with `must-revalidate` never expires later than the server says.
    ///   - requested: When the request was sent.
    func dated(_ expiry: APICacheExpiry, requested: Date) -> APICacheEntry {
        var head = head
        let sent = head.fields["date"].flatMap { HTTPDate.date($0, now: head.stored) }
        let apparent = sent.map { max(0, head.stored.timeIntervalSince($0)) } ?? 0
        let declared = head.fields["age"].flatMap { CacheControl.number($0) } ?? 0
        let age = max(apparent, declared + max(0, head.stored.timeIntervalSince(requested)))
        head.born = head.stored.addingTimeInterval(-age)
        let server = head.stored.addingTimeInterval((lifetime(sent ?? head.stored) ?? 0) - age)
        head.expires =
            switch expiry {
            case .server: server
            case .never: nil
            case .seconds(let seconds): head.stored.addingTimeInterval(seconds)
            case .date(let date): date
            }
        if control.has("must-revalidate") { head.expires = min(head.expires ?? server, server) }
        return APICacheEntry(head: head, body: body)
    }

    /// Returns the server's freshness lifetime in seconds (4.2.1); `nil` if the server has set none.
    private func lifetime(_ sent: Date) -> TimeInterval? {
        if let seconds = control.seconds("max-age") { return seconds }
        guard let expires = head.fields["expires"] else { return nil }
        // An invalid date means that the response has already expired (5.3).
        return HTTPDate.date(expires, now: sent).map { $0.timeIntervalSince(sent) } ?? 0
    }

    /// The header fields that are never stored: connection-specific fields (3.1), and cookies, which are
    /// secrets.
    static func unstored(_ fields: [String: String]) -> Set<String> {
        let connection = (fields["connection"] ?? "").split(separator: ",").map {
            $0.trimmingCharacters(in: .whitespaces).lowercased()
        }
        return Set(connection).union([
            "connection", "keep-alive", "proxy-authenticate", "proxy-authentication-info",
            "proxy-authorization", "proxy-connection", "set-cookie", "set-cookie2", "te", "trailer",
            "transfer-encoding", "upgrade",
        ])
    }
}

/// The directives of a Cache-Control field (RFC 9111, 5.2).
struct CacheControl {
    private var directives: [(name: String, value: String?)] = []

    init(_ field: String?) {
        guard let field else { return }
        var (name, value, isValue, isQuoted) = ("", "", false, false)
        func trimmed(_ text: String) -> String { text.filter { $0 != " " && $0 != "\t" }.lowercased() }
        for character in field + "," {
            switch character {
            case "\"" where isValue: isQuoted.toggle()
            case "=" where !isValue: isValue = true
            case "," where !isQuoted:
                if !trimmed(name).isEmpty {
                    directives.append((trimmed(name), isValue ? trimmed(value) : nil))
                }
                (name, value, isValue) = ("", "", false)
            default: if isValue { value.append(character) } else { name.append(character) }
            }
        }
    }

    /// Whether a directive is present, with or without a value.
    func has(_ name: String) -> Bool { directives.contains { $0.name == name } }

    /// Returns the value of a directive in seconds; `nil` if it is missing. If there are several values, returns the
    /// smallest one. An invalid value is 0 (RFC 9111, 4.2.1).
    func seconds(_ name: String) -> Double? {
        directives.filter { $0.name == name }.map { directive in
            directive.value.flatMap { Self.number($0) } ?? 0
        }.min()
    }

    /// Returns a number of seconds; `nil` if the text contains anything but digits (`Double` would also read `inf` and
    /// `-5`). A number that is too large is treated as 2^31 (RFC 9111, 1.2.2).
    static func number(_ text: String) -> Double? {
        guard text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return Double(text).map { min($0, 2_147_483_648) }
    }
}
