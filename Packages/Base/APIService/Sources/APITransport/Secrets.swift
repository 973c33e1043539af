import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension URL {
    /// Whether a request to this URL may carry secrets: its connection is encrypted (`https`) or does not leave this
    /// machine (`http` to a loopback host).
    public var isSafeForSecrets: Bool {
        switch scheme?.lowercased() {
        case "https": true
        case "http": ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host()?.lowercased() ?? "")
        default: false
        }
    }
}

extension URLRequest {
    /// Returns the request as a curl command, for a log or a bug report.
    ///
    /// The values of header fields and query parameters that carry credentials are replaced by `***`, and so is the
    /// user name in the URL. Secrets in the path or the body are not redacted, so omit a body that contains secrets.
    ///
    /// - Parameters:
    ///   - secrets: The names of header fields and query parameters to redact besides Authorization, Cookie and
    ///     Proxy-Authorization.
    ///   - includesBody: Whether the command includes the body, if the body is text.
    public func cURL(redacting secrets: Set<String> = [], includesBody: Bool = true) -> String {
        let secrets = RedirectPolicy(credentialFields: secrets).credentialFields
        func quoted(_ text: String) -> String { "'" + text.replacing("'", with: "'\\''") + "'" }
        var words = ["curl", "-X", httpMethod ?? "GET"]
        for (name, value) in (allHTTPHeaderFields ?? [:]).sorted(by: { $0.key < $1.key }) {
            words += ["-H", quoted("\(name): \(secrets.contains(name.lowercased()) ? "***" : value)")]
        }
        if includesBody, let body = httpBody.flatMap({ String(data: $0, encoding: .utf8) }) {
            words += ["--data-raw", quoted(body)]
        }
        var parts = url.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true) }
        if parts?.user != nil { parts?.user = "***" }
        parts?.password = nil
        let items = parts?.percentEncodedQueryItems?.map { item in
            secrets.contains((item.name.removingPercentEncoding ?? item.name).lowercased())
                ? URLQueryItem(name: item.name, value: "***") : item
        }
        parts?.percentEncodedQueryItems = items
        return (words + [quoted(parts?.string ?? "")]).joined(separator: " ")
    }
}
