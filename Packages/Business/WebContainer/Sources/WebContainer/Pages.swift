import Mediator
import Routes
import WebContainerApi
import WebViewActions

/// The IMP of ``WebContainerModule/Form/direct``: creates the page itself.
struct DirectPages: WebContainerApiProtocol {
    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage {
        try (backward ? Container.yaoWang : .hybrid).page(for: url)
    }
}

/// The IMP of ``WebContainerModule/Form/routes``: calls the module's own route.
struct RoutedPages: WebContainerApiProtocol {
    let routes: Routes

    func page(for url: String, backward: Bool) throws(WebContainerApiError) -> WebPage {
        let result = routes.routeURL(WebContainerRoute.page, parameters: ["url": url, "backward": backward])
        if let refusal = result.error?.underlying as? WebContainerApiError { throw refusal }
        return try WebPage(result.value as? [String: String], for: url, otherwise: result.error)
    }
}

/// The IMP of ``WebContainerModule/Form/mediator``: calls the mediator.
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
    /// Creates a page from the dictionary that a route or an action returned. Throws `error`, as a
    /// ``WebContainerApiError``, when a field is missing.
    init(_ fields: [String: String]?, for url: String, otherwise error: (any Error)?)
        throws(WebContainerApiError)
    {
        guard let container = fields?["page"], let shown = fields?["url"] else {
            throw .badURL(
                url, reason: error.map { String(describing: $0) } ?? "no container can show it")
        }
        self.init(container: container, url: shown)
    }
}
