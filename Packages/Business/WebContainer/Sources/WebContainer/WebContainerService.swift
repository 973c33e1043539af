import WebContainerApi

/// WebContainer's IMP: a struct, created on every lookup.
struct WebContainerService: WebContainerApiProtocol {
    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage {
        try (backward ? Container.yaoWang : .hybrid).page(for: url)
    }
}
