import Mediator

/// A page as a plain value: its identifier under `page`, and its fields.
public typealias Page = [String: String]

/// What callers may ask of the web containers. The only place where their keys stand.
///
/// Source: seeds/2-GLMediator.md, "GLMediator+WebViewActions".
extension Mediator {
    /// The web container's page; the caller decides how to show it.
    ///
    /// - Parameters:
    ///   - url: What it shows. `https://` is put before a URL that has no scheme.
    ///   - backward: Whether the old container shows it.
    /// - Throws: `MediatorError` when the app has no such container; what the container throws.
    public func webviewViewController(url: String, backward: Bool = false) throws -> Page {
        let hasScheme = url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
        let url = hasScheme ? url : "https://\(url)"
        return try performTarget(
            backward ? "yaoWangWebView" : "hybridWebView",
            action: backward ? "jsFetchYaoWangWebViewController" : "jsFetchHybridWebViewController",
            params: ["url": url], shouldCacheTarget: false, returning: Page.self)
    }
}
