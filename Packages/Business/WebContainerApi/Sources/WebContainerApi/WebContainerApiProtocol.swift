/// WebContainer's interface for other modules: pages that show web content.
///
/// All methods are thread-safe.
public protocol WebContainerApiProtocol: Sendable {
    /// Returns the page that shows a URL.
    ///
    /// - Parameters:
    ///   - url: The URL to show. `https://` is prepended to a URL without a scheme.
    ///   - backward: Whether to use the old container.
    /// - Throws: ``WebContainerApiError/badURL(_:reason:)``.
    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage
}
