import Foundation

extension URL {
    /// The URL as a client sends it: with its scheme in lower case. `nil` if the URL is not an http or https URL
    /// with a host, or if its port is not from 1 to 65535. async-http-client would end the process at such a port.
    public var forHTTP: URL? {
        guard let scheme = scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = host(), !host.isEmpty
        else { return nil }
        if let port {
            guard (1...65_535).contains(port) else { return nil }
        } else if let parts = URLComponents(url: self, resolvingAgainstBaseURL: true),
            parts.rangeOfPort?.isEmpty == false
        {
            // The number is too large for an `Int`.
            return nil
        }
        return scheme == self.scheme ? self : URL(string: scheme + absoluteString.dropFirst(scheme.count))
    }

    /// The URL without a user name and a password. A server may not choose the credentials of the next request.
    package var withoutUser: URL? {
        guard user != nil || password != nil else { return self }
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return nil }
        (parts.user, parts.password) = (nil, nil)
        return parts.url
    }

    /// The URL as texts show it: without its user, query and fragment.
    package var withoutSecrets: URL { (withoutUser ?? self).withoutQuery }

    /// The URL without its query and its fragment.
    package var withoutQuery: URL {
        URL(string: String(absoluteString.prefix { $0 != "?" && $0 != "#" })) ?? self
    }
}
