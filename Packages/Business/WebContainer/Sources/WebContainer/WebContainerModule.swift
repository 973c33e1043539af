import ApiCenter
import Lifecycle
import Mediator
import Routes
import WebContainerApi

/// Registers WebContainer. The package's only public declaration.
public struct WebContainerModule: Module {
    /// How the Api's one method finds its page. Its callers cannot tell.
    public enum Form: String, Sendable, CaseIterable {
        /// It makes the page.
        case direct
        /// It asks the module's own route.
        case routes
        /// It asks the mediator, through the facade that others use too.
        case mediator
    }

    public let version = "1.1.0"

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
