import ApiCenter
import Lifecycle
import Mediator
import Routes
import WebContainerApi

/// Registers WebContainer. The package's only public declaration.
public struct WebContainerModule: Module {
    /// The way in which the IMP creates a page. Callers of the Api see no difference.
    public enum Form: String, Sendable, CaseIterable {
        /// The IMP creates the page itself.
        case direct
        /// The IMP calls the module's own route.
        case routes
        /// The IMP calls the mediator through `WebViewActions`, the facade that other modules use.
        case mediator
    }

    public let version = "1.1.1"

    private let form: Form

    public init(form: Form = .direct) {
        self.form = form
    }

    public func register(in center: ApiCenter) throws {
        let pages: any WebContainerApiProtocol =
            switch form {
            case .direct: DirectPages()
            case .routes: RoutedPages(routes: try center.requireApi(type: Routes.self))
            case .mediator: MediatedPages(mediator: try center.requireApi(type: Mediator.self))
            }
        center.registerApi(type: WebContainerApiProtocol.self) { pages }
    }

    public func routes(in center: ApiCenter) -> [String: RouteHandler] {
        [WebContainerRoute.page: { try Container.asked(by: $0).fields(for: $0["url"]) }]
    }

    public func actions(in center: ApiCenter) -> [String: [String: ActionHandler]] {
        [
            "hybridWebView": [
                "jsFetchHybridWebViewController": { try Container.hybrid.fields(for: $0["url"]) }
            ],
            "yaoWangWebView": [
                "jsFetchYaoWangWebViewController": { try Container.yaoWang.fields(for: $0["url"]) }
            ],
        ]
    }
}
