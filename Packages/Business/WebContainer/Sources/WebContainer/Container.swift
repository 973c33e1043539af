import Foundation
import WebContainerApi

/// The two containers.
enum Container: String {
    /// The new one.
    case hybrid = "HybridWebVC"
    /// The old one.
    case yaoWang = "YaoWangWebVC"

    /// The one that the parameters of a call name by `backward`, a truth value or its text.
    static func asked(by parameters: [String: any Sendable]) -> Container {
        let backward = parameters["backward"]
        return backward as? Bool == true || backward as? String == "true" ? .yaoWang : .hybrid
    }

    /// The page for a URL.
    func page(for url: String) throws(WebContainerApiError) -> WebPage {
        let hasScheme = url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
        let whole = hasScheme ? url : "https://\(url)"
        guard let parts = URLComponents(string: whole), let host = parts.host, !host.isEmpty else {
            throw .badURL(url, reason: "it has no host")
        }
        guard parts.scheme == "https" else {
            throw .badURL(url, reason: "only https is shown, for anybody may change what comes by other ways")
        }
        return WebPage(container: rawValue, url: whole)
    }

    /// The page for a URL, as a plain value.
    func fields(for url: (any Sendable)?) throws(WebContainerApiError) -> [String: String] {
        let page = try page(for: url as? String ?? "")
        return ["page": page.container, "url": page.url]
    }
}
