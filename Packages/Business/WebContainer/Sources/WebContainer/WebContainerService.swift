import WebContainerApi

/// WebContainer's IMP: one object, shared by all callers.
final class WebContainerService: WebContainerApiProtocol {
    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage {
        try (backward ? Container.yaoWang : .hybrid).page(for: url)
    }
}
