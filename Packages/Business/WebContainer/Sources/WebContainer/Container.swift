import Foundation
import Links
import WebContainerApi

/// The two web containers.
enum Container: String {
    /// The new container.
    case hybrid = "HybridWebVC"
    /// The old container.
    case yaoWang = "YaoWangWebVC"

    /// The sentence above a page that a container shows. The container's identifier is for callers, and not for passengers.
    static func sentence(for page: WebPage) -> String {
        Container(rawValue: page.container) == .yaoWang
            ? "This page is on the web, and opens in the old view:" : "This page is on the web:"
    }

    /// Returns the old container if the parameter `backward` is true, otherwise the new one.
    static func asked(by parameters: Parameters) -> Container {
        parameters.param("backward", false) ? .yaoWang : .hybrid
    }

    /// Returns the page for a URL, with `https://` prepended to a URL without a scheme.
    ///
    /// - Throws: ``WebContainerApiError/badURL(_:reason:)`` unless the result is an https URL with a host.
    func page(for url: String) throws(WebContainerApiError) -> WebPage {
        let hasScheme = url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
        let whole = hasScheme ? url : "https://\(url)"
        guard let parts = URLComponents(string: whole), let host = parts.host, !host.isEmpty else {
            throw .badURL(url, reason: "it has no host")
        }
        guard parts.scheme?.lowercased() == "https" else {
            throw .badURL(
                url, reason: "only https is allowed, because other connections can be tampered with")
        }
        return WebPage(container: rawValue, url: whole)
    }

    /// Returns the page for the parameter `url` of a route or an action.
    @MainActor func show(_ url: (any Sendable)?) throws(WebContainerApiError) -> WebContainerPage {
        WebContainerPage(page: try page(for: url as? String ?? ""))
    }
}
