import Mediator
import Testing

@Suite("The seed's example: two web containers, cart and demand list") struct SeedExampleTests {
    private let mediator = Mediator()

    init() throws {
        try installModules(in: mediator)
    }

    @Test("The facade gives the new container, and with `backward` the old one, from code and from text")
    func backward() throws {
        let new = try mediator.webviewViewController(params: ["url": "https://a.cn"])
        #expect(new == ["page": "GLWebVC", "urlPath": "https://a.cn"])
        for backward in [true, "true", "1"] as [any Sendable] {
            let old = try mediator.webviewViewController(params: [
                "url": "https://a.cn", "backward": backward,
            ])
            #expect(old["page"] == "YWSubjectViewController")
            #expect(old["urlStr"] == "https://a.cn")
        }
    }

    @Test("The facade validates and repairs the parameters before anything is called")
    func validation() throws {
        #expect(try mediator.webviewViewController(params: ["url": "a.cn"])["urlPath"] == "https://a.cn")
        let error = #expect(throws: ParameterError.self) {
            try mediator.webviewViewController(params: ["url": 3])
        }
        #expect(error?.owner == "webviewViewController")
        #expect(error?.key == "url")
        #expect(error?.found == "Int 3")
    }

    @Test("Another app opens the new container by a URL, and neither the old one nor the cookies")
    func remote() throws {
        let page = try mediator.openUrl(
            "app://hybridWebView/jsFetchHybridWebViewController?url=https%3A%2F%2Fa.cn")
        #expect(page as? Page == ["page": "GLWebVC", "urlPath": "https://a.cn"])
        for name in ["yaoWangWebView/jsFetchYaoWangWebViewController", "hybridWebView/clearCookies"] {
            let error = #expect(throws: MediatorError.self) { try mediator.openUrl("app://\(name)?url=a") }
            #expect(error?.code == .localOnly)
        }
    }

    @Test("Cart and demand list come as pages, as a tab-bar page, and are pushed by the caller's own means")
    func cartAndDemand() throws {
        #expect(try mediator.cartViewController() == ["page": "GLCartVC", "title": "Cart"])
        #expect(try mediator.tabBarCartViewController()["inTabBar"] == "true")
        #expect(try mediator.mprxDemandViewController() == ["page": "GLMprxDemandVC"])
        var stack: [Page] = []
        let pushedCart = mediator.pushCartViewController { stack.append($0) }
        let pushedDemand = mediator.pushMprxDemandViewController { stack.append($0) }
        #expect(pushedCart && pushedDemand)
        #expect(stack.map { $0["page"] } == ["GLCartVC", "GLMprxDemandVC"])
    }

    @Test("A caller shows the page as it likes, and says whether there was one")
    func caller() {
        var shown: [String] = []
        func show(_ params: [String: any Sendable], _ animation: PageAnimation) -> Bool {
            showWebPage(
                params, animation, mediator, push: { shown.append("push \($0["page"] ?? "")") },
                present: { shown.append("present \($0["page"] ?? "")") })
        }
        #expect(show(["url": "a.cn"], .push))
        #expect(show(["url": "a.cn", "backward": true], .present))
        #expect(!show([:], .push))
        #expect(shown == ["push GLWebVC", "present YWSubjectViewController"])
    }

    @Test("Without the module the push variants say no, and nothing is pushed")
    func moduleLeftOut() {
        mediator.remove(target: "cart")
        var stack: [Page] = []
        #expect(!mediator.pushCartViewController { stack.append($0) })
        #expect(stack.isEmpty)
    }
}
