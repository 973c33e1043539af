import Mediator
import Routes
import WebContainerApi
import WebViewActions

/// WebContainer's IMP: it makes the page.
struct DirectPages: WebContainerApiProtocol {
    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage {
        try (backward ? Container.yaoWang : .hybrid).page(for: url)
    }
}

/// The same by URL.
struct RoutedPages: WebContainerApiProtocol {
    let routes: Routes

    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage {
        let result = routes.routeURL(WebContainerRoute.page, parameters: ["url": url, "backward": backward])
        if let refusal = result.error?.underlying as? WebContainerApiError { throw refusal }
        return try WebPage(result.value as? [String: String], for: url, otherwise: result.error)
    }
}

/// The same by name.
struct MediatedPages: WebContainerApiProtocol {
    let mediator: Mediator

    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage {
        do {
            let page = try mediator.webviewViewController(url: url, backward: backward)
            return try WebPage(page, for: url, otherwise: nil)
        } catch WebContainerApiError.badURL(_, let reason) {
            throw .badURL(url, reason: reason)
        } catch {
            throw .badURL(url, reason: String(describing: error))
        }
    }
}

extension WebPage {
    /// The page of these fields.
    init(_ fields: [String: String]?, for url: String, otherwise error: (any Error)?)
        throws(WebContainerApiError)
    {
        guard let container = fields?["page"], let shown = fields?["url"] else {
            throw .badURL(
                url, reason: error.map { String(describing: $0) } ?? "no container has a page for it")
        }
        self.init(container: container, url: shown)
    }
}
