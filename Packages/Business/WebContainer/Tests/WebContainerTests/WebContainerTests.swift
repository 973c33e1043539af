import ApiCenter
import Lifecycle
import Mediator
import Routes
import Testing
import WebContainer
import WebContainerApi
import WebViewActions

/// Requests a page as a caller that knows only the Api.
private func page(_ url: String, backward: Bool = false, from center: ApiCenter) throws -> WebPage {
    try center.requireApi(type: WebContainerApiProtocol.self).page(for: url, backward: backward)
}

@Suite("WebContainer")
struct WebContainerTests {
    private static func center(_ form: WebContainerModule.Form) throws -> (ApiCenter, Mediator) {
        let center = ApiCenter(), routes = Routes(), mediator = Mediator(),
            module = WebContainerModule(form: form)
        center.registerApi(type: Routes.self) { routes }
        center.registerApi(type: Mediator.self) { mediator }
        try module.register(in: center)
        try routes.install(module.routes(in: center), remote: module.remoteRoutes)
        try mediator.install(actions: module.actions(in: center), remote: module.remoteActions)
        return (center, mediator)
    }

    @Test(
        "Every form of WebContainer uses the new container, or the old one if backward is true",
        arguments: WebContainerModule.Form.allCases)
    func pages(form: WebContainerModule.Form) throws {
        let (center, _) = try Self.center(form)
        #expect(
            try page("https://a.example/x?y=1", from: center)
                == WebPage(container: "HybridWebVC", url: "https://a.example/x?y=1"))
        #expect(
            try page("a.example", backward: true, from: center)
                == WebPage(container: "YaoWangWebVC", url: "https://a.example"))
    }

    @Test(
        "Every form of WebContainer shows only https URLs", arguments: WebContainerModule.Form.allCases,
        ["", "http://a.example", "file:///etc/passwd", "javascript://a"])
    func refuses(form: WebContainerModule.Form, url: String) throws {
        let (center, _) = try Self.center(form)
        let error = #expect(throws: WebContainerApiError.self) { try page(url, from: center) }
        guard case .badURL(url, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // Every form gives the same reasons.
        #expect(
            ["it has no host", "only https is allowed, because other connections can be tampered with"]
                .contains(reason))
    }

    @Test("WebContainer handles the calls of the WebViewActions facade")
    func facade() throws {
        let (_, mediator) = try Self.center(.direct)
        let old = try mediator.webviewViewController(url: "a.example", backward: true)
        #expect(old == ["page": "YaoWangWebVC", "url": "https://a.example"])
        #expect(try mediator.webviewViewController(url: "a.example")["page"] == "HybridWebVC")
    }

    @Test("WebContainer's route and actions cannot be called from outside the app")
    func local() throws {
        let (center, mediator) = try Self.center(.direct)
        let routes = try center.requireApi(type: Routes.self)
        guard case .denied = routes.open("app://web_vc?url=https://evil.example") else {
            Issue.record("the route was opened from outside")
            return
        }
        #expect(throws: MediatorError.self) {
            try mediator.openUrl(
                "app://hybridWebView/jsFetchHybridWebViewController?url=https://evil.example")
        }
    }
}
