import Mediator

// A facade, as the package `Packages/Common/WebViewActions` would be: the only place where keys stand.

/// A page as a plain value: its identifier under `page`, and its parameters.
typealias Page = [String: String]

/// What callers may ask of the web containers.
extension Mediator {
    /// The web container's page; the caller decides how to show it.
    func webviewViewController(params: [String: any Sendable]) throws -> Page {
        var params = params
        let read = Parameters(params, of: "webviewViewController")
        let url = try read.required("url", as: String.self)
        if !url.contains("://") { params["url"] = "https://\(url)" }  // repairs what callers often leave out
        if read.param("backward", false) {
            return try performTarget(
                "yaoWangWebView", action: "jsFetchYaoWangWebViewController", params: params,
                shouldCacheTarget: false, returning: Page.self)
        }
        return try performTarget(
            "hybridWebView", action: "jsFetchHybridWebViewController", params: params,
            shouldCacheTarget: false, returning: Page.self)
    }
}
