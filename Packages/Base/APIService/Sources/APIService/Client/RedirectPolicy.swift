import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a client sends to where a server redirects it. For clients to share.
public struct RedirectPolicy: Sendable, Hashable {
    /// How many redirects are followed at most; the answer of the next is delivered as it is.
    public var limit: Int

    /// The header fields, in lower case, that only the origin may see to which the request was sent: those that it
    /// is given, and always Authorization, Cookie and Proxy-Authorization.
    public var credentialFields: Set<String> {
        get { fields }
        set { fields = Self.standardFields.union(newValue.map { $0.lowercased() }) }
    }

    /// The fields that carry credentials in every request.
    static let standardFields: Set<String> = ["authorization", "cookie", "proxy-authorization"]
    private var fields = standardFields

    /// A policy.
    ///
    /// - Parameters:
    ///   - limit: How many redirects are followed at most.
    ///   - credentialFields: The header fields that carry credentials besides the usual ones: `X-Session`, say.
    public init(limit: Int = 10, credentialFields: Set<String> = []) {
        self.limit = limit
        self.credentialFields = credentialFields
    }

    /// `proposed`, sent to `target`: without credentials, and the origin's name, when scheme, host or port differ. Nil
    /// when it leads away from http and https, or from https to http.
    private func redirected(_ request: URLRequest, to target: URL, proposed: URLRequest) -> URLRequest? {
        guard let source = request.url, let to = Self.origin(target), let from = Self.origin(source),
            to.scheme == "https" || (to.scheme == "http" && from.scheme == "http")
        else { return nil }
        var next = proposed
        next.url = target
        if to != from {
            for field in Array((proposed.allHTTPHeaderFields ?? [:]).keys)
            where fields.contains(field.lowercased()) || field.isSameField(as: "host") {
                next.setValue(nil, forHTTPHeaderField: field)
            }
        }
        return next
    }

    /// The request that follows an answer with this status and `Location`; nil when it is to be delivered.
    ///
    /// Without credentials when scheme, host or port differ. One that leads away from http and https, or from
    /// https to http, is not followed. As RFC 9110, 15.4 has it: 303 is followed by a GET, and so are 301 and 302
    /// after a POST; 307 and 308 keep method and body.
    public func next(after request: URLRequest, status: Int, location: String?) -> URLRequest? {
        guard [301, 302, 303, 307, 308].contains(status), let source = request.url, let location,
            let target = URL(string: location, relativeTo: source)?.absoluteURL
        else { return nil }
        var proposed = request
        let method = request.httpMethod ?? "GET"
        if (status == 303 && method != "HEAD") || ((status == 301 || status == 302) && method == "POST") {
            proposed.httpMethod = "GET"
            proposed.httpBody = nil
            for field in ["Content-Type", "Content-Length", "Content-Encoding"] {
                proposed.setValue(nil, forHTTPHeaderField: field)
            }
        }
        return redirected(request, to: target, proposed: proposed)
    }

    private struct Origin: Equatable {
        let scheme: String
        let host: String
        let port: Int
    }

    private static func origin(_ url: URL) -> Origin? {
        guard let scheme = url.scheme?.lowercased(), let host = url.host?.lowercased() else { return nil }
        return Origin(scheme: scheme, host: host, port: url.port ?? (scheme == "https" ? 443 : 80))
    }
}
