import Mediator

// A facade like the package `Packages/Common/WebViewActions`. No other code contains the names of the
// targets.

/// A page as a plain value: its identifier under the key `page`, and its parameters.
typealias Page = [String: String]

/// Typed calls to the web containers' actions.
extension Mediator {
    /// The web container's page, for the caller to show.
    func webviewViewController(params: [String: any Sendable]) throws -> Page {
        var params = params
        let read = Parameters(params, of: "webviewViewController")
        let url = try read.required("url", as: String.self)
        if !url.contains("://") { params["url"] = "https://\(url)" }  // callers often omit the scheme
        let target = read.param("backward", false) ? "oldWebView" : "webView"
        return try performTarget(
            target, action: "page", params: params, shouldCacheTarget: false, as: Page.self)
    }
}
