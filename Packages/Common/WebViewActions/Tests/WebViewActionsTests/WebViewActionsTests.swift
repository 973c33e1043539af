import Mediator
import Testing
import WebViewActions

@Suite("The facade of the web containers")
struct WebViewActionsTests {
    let mediator = Mediator()

    init() throws {
        try mediator.install(actions: [
            "hybridWebView": [
                "jsFetchHybridWebViewController": { ["page": "new", "url": "\($0["url"] ?? "")"] }
            ],
            "yaoWangWebView": [
                "jsFetchYaoWangWebViewController": { ["page": "old", "url": "\($0["url"] ?? "")"] }
            ],
        ])
    }

    @Test("asks the new container, and the old one for backward", arguments: [(false, "new"), (true, "old")])
    func redirects(backward: Bool, page: String) throws {
        let found = try mediator.webviewViewController(url: "https://a.example/x", backward: backward)
        #expect(found == ["page": page, "url": "https://a.example/x"])
    }

    @Test("repairs a URL without a scheme")
    func repairs() throws {
        #expect(try mediator.webviewViewController(url: "a.example")["url"] == "https://a.example")
        let nested = try mediator.webviewViewController(url: "a.example/?back=https://b.example")["url"]
        #expect(nested == "https://a.example/?back=https://b.example")
    }

    @Test("says what is missing when the app has no such container")
    func absent() throws {
        #expect(throws: MediatorError.self) { try Mediator().webviewViewController(url: "a.example") }
    }
}
