import Mediator
import Testing
import WebViewActions

@Suite("WebViewActions")
struct WebViewActionsTests {
    let mediator = Mediator()

    init() throws {
        try mediator.install([
            .action("hybridWebView", "jsFetchHybridWebViewController") {
                ["page": "new", "url": "\($0["url"] ?? "")"]
            },
            .action("yaoWangWebView", "jsFetchYaoWangWebViewController") {
                ["page": "old", "url": "\($0["url"] ?? "")"]
            },
        ])
    }

    @Test(
        "The WebViewActions facade calls the new container, or the old one if backward is true",
        arguments: [(false, "new"), (true, "old")])
    func redirects(backward: Bool, page: String) throws {
        let found = try mediator.webviewViewController(url: "https://a.example/x", backward: backward)
        #expect(found == ["page": page, "url": "https://a.example/x"])
    }

    @Test("The WebViewActions facade prepends https:// to a URL without a scheme")
    func repairs() throws {
        #expect(try mediator.webviewViewController(url: "a.example")["url"] == "https://a.example")
        let nested = try mediator.webviewViewController(url: "a.example/?back=https://b.example")["url"]
        #expect(nested == "https://a.example/?back=https://b.example")
    }

    @Test("The WebViewActions facade throws a MediatorError when the app has no web container")
    func absent() throws {
        #expect(throws: MediatorError.self) { try Mediator().webviewViewController(url: "a.example") }
    }
}
