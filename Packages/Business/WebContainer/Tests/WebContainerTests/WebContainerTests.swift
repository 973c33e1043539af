import ApiCenter
import Lifecycle
import Links
import Mediator
import Pages
import Routes
import Testing
import WebContainer
import WebContainerApi
import WebViewActions

@Suite("WebContainer")
struct WebContainerTests {
    private let center = ApiCenter(), routes = Routes(), mediator = Mediator()

    init() throws {
        let module = WebContainerModule()
        module.register(in: center)
        try routes.install(module.links(in: center))
        try mediator.install(module.links(in: center))
    }

    private func page(_ url: String, backward: Bool = false) throws -> WebPage {
        try center.requireApi(type: WebContainerApiProtocol.self).page(for: url, backward: backward)
    }

    @Test("WebContainer uses the new container, or the old one if backward is true")
    func pages() throws {
        #expect(
            try page("https://a.example/x?y=1")
                == WebPage(container: "HybridWebVC", url: "https://a.example/x?y=1"))
        #expect(try page("HTTPS://a.example").url == "HTTPS://a.example")
        #expect(
            try page("a.example", backward: true)
                == WebPage(container: "YaoWangWebVC", url: "https://a.example"))
    }

    @Test(
        "WebContainer shows only https URLs",
        arguments: ["", "http://a.example", "file:///etc/passwd", "javascript://a", "h9+a://a.example"])
    func refuses(url: String) throws {
        let error = #expect(throws: WebContainerApiError.self) { try page(url) }
        guard case .badURL(url, let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(
            ["it has no host", "only https is allowed, because other connections can be tampered with"]
                .contains(reason))
    }

    @Test("WebContainer's route returns the same page and the same refusal as its Api")
    @MainActor
    func route() async throws {
        let old = try await routes.routeURL(
            WebContainerRoute.page, parameters: ["url": "a.example", "backward": true],
            as: (any Page).self)
        #expect(
            try await old.contents().first == .text("This page is on the web, and opens in the old view:"))
        #expect(old.title == "https://a.example")
        let new = try await routes.routeURL(
            WebContainerRoute.page, parameters: ["url": "a.example"], as: (any Page).self)
        #expect(try await new.contents().first == .text("This page is on the web:"))
        let refusal = await routes.routeURL("web_vc?url=http://a.example").error
        #expect(refusal?.underlying is WebContainerApiError)
    }

    @Test("WebContainer handles the calls from the WebViewActions facade")
    @MainActor
    func facade() async throws {
        let old = try mediator.webviewViewController(url: "a.example", backward: true)
        #expect(
            try await old.contents().first == .text("This page is on the web, and opens in the old view:"))
        let new = try mediator.webviewViewController(url: "a.example")
        #expect(try await new.contents().first == .text("This page is on the web:"))
    }

    @Test("WebContainer's route and actions cannot be called from outside the app")
    func local() throws {
        #expect(routes.openUrl("app://web_vc?url=https://evil.example").error?.reason == .localOnly)
        #expect(throws: MediatorError.self) {
            try mediator.openUrl(
                "app://hybridWebView/jsFetchHybridWebViewController?url=https://evil.example")
        }
    }
}
