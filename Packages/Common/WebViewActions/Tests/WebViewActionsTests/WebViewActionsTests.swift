import Mediator
import Pages
import Synchronization
import Testing
import WebViewActions

@Suite("WebViewActions")
struct WebViewActionsTests {
    let mediator = Mediator()

    init() throws {
        try mediator.install([
            .action("hybridWebView", "jsFetchHybridWebViewController", on: MainActor.shared) {
                Shown(title: "new \($0["url"] ?? "")")
            },
            .action("yaoWangWebView", "jsFetchYaoWangWebViewController", on: MainActor.shared) {
                Shown(title: "old \($0["url"] ?? "")")
            },
        ])
    }

    @Test(
        "The WebViewActions facade calls the new container, or the old one if backward is true",
        arguments: [(false, "new"), (true, "old")])
    @MainActor
    func redirects(backward: Bool, page: String) throws {
        let found = try mediator.webviewViewController(url: "https://a.example/x", backward: backward)
        #expect(found.title == "\(page) https://a.example/x")
    }

    @Test("The WebViewActions facade prepends https:// to a URL without a scheme")
    @MainActor
    func repairs() throws {
        #expect(try mediator.webviewViewController(url: "a.example").title == "new https://a.example")
        #expect(try mediator.webviewViewController(url: "h9+a://a.example").title == "new h9+a://a.example")
        let nested = try mediator.webviewViewController(url: "a.example/?back=https://b.example")
        #expect(nested.title == "new https://a.example/?back=https://b.example")
    }

    @Test("An observer of the mediator learns who called the WebViewActions facade")
    @MainActor
    func caller() throws {
        let callers = Mutex<[String]>([])
        let line = #line + 5
        mediator.table.addObserver { call in
            callers.withLock { $0.append("\(call.caller.fileID):\(call.caller.line)") }
            return { _ in }
        }
        _ = try mediator.webviewViewController(url: "a.example")
        #expect(callers.withLock { $0 } == ["WebViewActionsTests/WebViewActionsTests.swift:\(line)"])
    }

    @Test("The WebViewActions facade throws a MediatorError when the app has no web container")
    @MainActor
    func absent() throws {
        #expect(throws: MediatorError.self) { try Mediator().webviewViewController(url: "a.example") }
    }
}

private struct Shown: Page {
    let title: String
    func contents() -> [PageContent] { [] }
}
