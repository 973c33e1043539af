/// What other modules may ask of WebContainer: a page that shows something of the web.
///
/// Every call is safe from any task.
public protocol WebContainerApiProtocol: Sendable {
    /// The page for a URL.
    ///
    /// - Parameters:
    ///   - url: What it shows. `https://` is put before a URL that has no scheme.
    ///   - backward: Whether the old container is to show it.
    /// - Throws: ``WebContainerApiError``.
    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage
}
