import ApiCenter
import Lifecycle
import Links
import WebContainerApi

/// Registers WebContainer. The package's only public declaration.
public struct WebContainerModule: Module, LinkAnswering {
    public let version = "1.0.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(WebContainerApiProtocol.self, scope: .once) { WebContainerService() }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(WebContainerRoute.page, on: MainActor.shared) {
                try Container.asked(by: $0).show($0["url"])
            },
            .action("hybridWebView", "jsFetchHybridWebViewController", on: MainActor.shared) {
                try Container.hybrid.show($0["url"])
            },
            .action("yaoWangWebView", "jsFetchYaoWangWebViewController", on: MainActor.shared) {
                try Container.yaoWang.show($0["url"])
            },
        ]
    }
}
