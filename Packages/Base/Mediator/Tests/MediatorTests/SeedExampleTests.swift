import Mediator
import Testing

@Suite("Seed 2's example: two web containers") struct SeedExampleTests {
    private let mediator = Mediator()

    init() throws {
        try installModules(in: mediator)
    }

    @Test("The facade returns the new web container by default, and the old one with `backward`")
    func backward() throws {
        let new = try mediator.webviewViewController(params: ["url": "https://a.cn"])
        #expect(new == ["page": "WebPage", "urlPath": "https://a.cn"])
        for backward in [true, "true", "1"] as [any Sendable] {
            let old = try mediator.webviewViewController(params: [
                "url": "https://a.cn", "backward": backward,
            ])
            #expect(old["page"] == "OldWebPage")
            #expect(old["urlStr"] == "https://a.cn")
        }
    }

    @Test("The facade validates and repairs the parameters before it calls an action")
    func validation() throws {
        #expect(try mediator.webviewViewController(params: ["url": "a.cn"])["urlPath"] == "https://a.cn")
        let error = #expect(throws: ParameterError.self) {
            try mediator.webviewViewController(params: ["url": 3])
        }
        #expect(error?.owner == "webviewViewController")
        #expect(error?.key == "url")
        #expect(error?.found == "Int 3")
    }

    @Test("Another app can open the new container by URL, but cannot call the local actions")
    func remote() throws {
        let page = try mediator.openUrl(
            "app://webView/page?url=https%3A%2F%2Fa.cn")
        #expect(page as? Page == ["page": "WebPage", "urlPath": "https://a.cn"])
        for name in ["oldWebView/page", "webView/clearCookies"] {
            let error = #expect(throws: MediatorError.self) { try mediator.openUrl("app://\(name)?url=a") }
            #expect(error?.reason == .localOnly)
        }
    }

    @Test("A caller shows the page itself, and learns whether there was one, even if the module is left out")
    func caller() {
        var shown: [String?] = []
        func show(_ params: [String: any Sendable]) -> Bool {
            showWebPage(params, mediator) { shown.append($0["page"]) }
        }
        #expect(show(["url": "a.cn"]))
        #expect(show(["url": "a.cn", "backward": true]))
        #expect(!show([:]))
        mediator.remove(target: "webView")
        #expect(!show(["url": "a.cn"]))
        #expect(shown == ["WebPage", "OldWebPage"])
    }
}
