import ApiCenter
import Lifecycle
import Mediator
import Routes
import Testing
import WebContainer
import WebContainerApi
import WebViewActions

/// A caller: it knows the Api, and nothing of how its IMP works.
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
        "has the page in the new container, and in the old one for backward",
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
        "shows nothing but https", arguments: WebContainerModule.Form.allCases,
        ["", "http://a.example", "file:///etc/passwd", "javascript://a"])
    func refuses(form: WebContainerModule.Form, url: String) throws {
        let (center, _) = try Self.center(form)
        let error = #expect(throws: WebContainerApiError.self) { try page(url, from: center) }
        guard case .badURL(url, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // In the same words, whichever form it has.
        #expect(
            ["it has no host", "only https is shown, for anybody may change what comes by other ways"]
                .contains(reason))
    }

    @Test("answers the facade of the web containers")
    func facade() throws {
        let (_, mediator) = try Self.center(.direct)
        let old = try mediator.webviewViewController(url: "a.example", backward: true)
        #expect(old == ["page": "YaoWangWebVC", "url": "https://a.example"])
        #expect(try mediator.webviewViewController(url: "a.example")["page"] == "HybridWebVC")
    }

    @Test("lets nobody outside choose what the app shows")
    func local() throws {
        let (center, mediator) = try Self.center(.direct)
        let routes = try center.requireApi(type: Routes.self)
        guard case .denied = routes.open("app://web_vc?url=https://evil.example") else {
            Issue.record("opened")
            return
        }
        #expect(throws: MediatorError.self) {
            try mediator.openUrl(
                "app://hybridWebView/jsFetchHybridWebViewController?url=https://evil.example")
        }
    }
}
