import Mediator

// A facade like the package `Packages/Common/WebViewActions`. No other code contains the names of the
// targets.

/// Typed calls to the web containers' actions.
extension Mediator {
    /// The page of a web container, for the caller to show.
    func webviewViewController(
        url: String, backward: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
    ) throws -> any Page {
        let url = url.contains("://") ? url : "https://\(url)"  // callers often omit the scheme
        return try performTarget(
            backward ? "oldWebView" : "webView", action: "page", params: ["url": url],
            as: (any Page).self, fileID: fileID, line: line)
    }
}
