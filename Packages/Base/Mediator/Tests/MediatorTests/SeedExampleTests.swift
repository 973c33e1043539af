import Mediator
import Testing

@Suite("Seed 2's example: two web containers") struct SeedExampleTests {
    private let mediator = Mediator()

    init() throws {
        try installModules(in: mediator)
    }

    @Test("The facade returns the new web container by default, and the old one with `backward`")
    func backward() throws {
        #expect(try mediator.webviewViewController(url: "https://a.cn") is WebPage)
        #expect(try mediator.webviewViewController(url: "https://a.cn", backward: true) is OldWebPage)
    }

    @Test("The facade repairs the parameters before it calls an action")
    func repair() throws {
        #expect(try mediator.webviewViewController(url: "a.cn").url == "https://a.cn")
    }

    @Test("Another app can open the new container by URL, but cannot call the local actions")
    func remote() throws {
        let page = try mediator.openUrl("app://webView/page?url=https%3A%2F%2Fa.cn")
        #expect((page as? any Page)?.url == "https://a.cn")
        for name in ["oldWebView/page", "webView/clearCookies"] {
            let error = #expect(throws: MediatorError.self) { try mediator.openUrl("app://\(name)?url=a") }
            #expect(error?.reason == .localOnly)
        }
    }

    @Test("A caller shows the page itself, and learns whether there was one, even if the module is left out")
    func caller() {
        var shown: [String] = []
        #expect(showWebPage("a.cn", mediator) { shown.append($0.url) })
        mediator.remove(target: "webView")
        #expect(!showWebPage("a.cn", mediator) { shown.append($0.url) })
        #expect(shown == ["https://a.cn"])
    }
}
