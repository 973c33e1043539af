import ApiCenter
import Lifecycle
import Links
import WebContainerApi

/// Registers WebContainer. The package's only public declaration.
public struct WebContainerModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(WebContainerApiProtocol.self) { WebContainerService() }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(WebContainerRoute.page) { try Container.asked(by: $0).fields(for: $0["url"]) },
            .action("hybridWebView", "jsFetchHybridWebViewController") {
                try Container.hybrid.fields(for: $0["url"])
            },
            .action("yaoWangWebView", "jsFetchYaoWangWebViewController") {
                try Container.yaoWang.fields(for: $0["url"])
            },
        ]
    }
}
