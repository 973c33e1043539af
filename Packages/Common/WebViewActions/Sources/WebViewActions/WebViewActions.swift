import Mediator
import Pages

/// A typed facade for the actions of the web containers. Only this file contains the actions' string keys.
///
/// Source: seed 2, "GLMediator+WebViewActions".
extension Mediator {
    /// Returns the page of a web container. The caller decides how to show it.
    ///
    /// - Parameters:
    ///   - url: The URL to show. `https://` is prepended to a URL without a scheme.
    ///   - backward: Whether to use the old container.
    ///   - fileID: The caller's file, for the mediator's observer.
    ///   - line: The caller's line, for the mediator's observer.
    /// - Throws: `MediatorError` when the container is not in the app; any error that the container throws.
    @MainActor
    public func webviewViewController(
        url: String, backward: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> any Page {
        let hasScheme = url.prefixMatch(of: /[A-Za-z][A-Za-z0-9+.\-]*:\/\//) != nil
        let url = hasScheme ? url : "https://\(url)"
        return try performTarget(
            backward ? "yaoWangWebView" : "hybridWebView",
            action: backward ? "jsFetchYaoWangWebViewController" : "jsFetchHybridWebViewController",
            params: ["url": url], as: (any Page).self, fileID: fileID, line: line)
    }
}
