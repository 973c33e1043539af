import Foundation
import Links
import Mediator
import Synchronization
import Testing

@Suite("Remote calls through the mediator") struct RemoteCallTests {
    /// A mediator whose actions count their calls and return their parameters.
    private final class App: Sendable {
        let mediator = Mediator()
        let calls = Mutex(0)

        init() throws {
            let echo: @Sendable (Parameters) throws -> (any Sendable)? = { [calls = Counter(self)] in
                calls.count()
                return $0.values
            }
            try mediator.install([
                .action("shop", "open", from: .outside, handler: echo),
                .action("shop", "pay", handler: echo),
                .action("shop", "notFound", handler: echo),
                .action("cart", "open", handler: echo),
                .action("cart", "notFound", from: .outside, handler: echo),
            ])
        }
    }

    private struct Counter: Sendable {
        weak let app: App?
        init(_ app: App) { self.app = app }
        func count() { app?.calls.withLock { $0 += 1 } }
    }

    private func refusal(_ app: App, _ url: String) -> MediatorError? {
        do {
            _ = try app.mediator.openUrl(url)
            return nil
        } catch {
            return error as? MediatorError
        }
    }

    @Test("A remote action gets the query's values, the URL and the options")
    func parameters() throws {
        let app = try App()
        let result = try app.mediator.openUrl("app://shop/open?id=7&t=a&t=b", options: ["from": "mail"])
        let params = try #require(result as? [String: any Sendable])
        #expect(params["id"] as? String == "7")
        #expect(params["t"] as? [String] == ["a", "b"])
        #expect(params["@url"] as? String == "app://shop/open?id=7&t=a&t=b")
        #expect((params["@options"] as? [String: any Sendable])?["from"] as? String == "mail")
        #expect(params.count == 4)
    }

    @Test("Reserved keys in a query are dropped, even if they are percent-encoded or repeated")
    func reservedKeys() throws {
        let app = try App()
        let result = try app.mediator.openUrl(
            "app://shop/open?@options=x&%40url=y&@url=z&@=1&a@=2&%40%CC%81=3")
        let params = try #require(result as? [String: any Sendable])
        #expect(Set(params.keys) == ["@url", "a@"])
        #expect((params["@url"] as? String)?.hasPrefix("app://") == true)
    }

    @Test(
        "Opening a URL that is not a remote call throws an error and calls no action",
        arguments: [
            "", "shop/open", "//shop/open", "app:shop/open", "app:///shop/open", "app://shop", "app://shop/",
            "app://shop/open/more", "app://shop:80/open", "app://user@shop/open", "app://shop/open?x=%",
            "app://shop/op en",
            "app://shop/%FF", "1app://shop/open", "app://shop/open?x=\u{0}",
        ])
    func badURLs(url: String) throws {
        let app = try App()
        app.mediator.setNotFound { _, _ in
            Issue.record("an invalid URL must not reach the not-found handler")
            return nil
        }
        switch refusal(app, url)?.reason {
        case .badURL(let error): #expect((0...url.utf8.count).contains(error.position))
        case .notTargetAction(let text): #expect(text == url)
        case let other: Issue.record("\(other as Any)")
        }
        #expect(app.calls.withLock { $0 } == 0)
    }

    @Test("Random URLs never reach a local action", arguments: 0..<4)
    func fuzz(seed: UInt64) throws {
        let app = try App()
        var state = seed
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let pieces = [
            "app", "://", ":", "/", "shop", "cart", "open", "pay", "notFound", "?", "&", "=", "%40", "@", "#",
            "%",
        ]
        var answered = 0
        for _ in 0..<3_000 {
            let prefix = next(3) == 0 ? "" : "app://shop/"
            let text = prefix + (0..<next(6)).map { _ in pieces[next(pieces.count)] }.joined()
            do {
                let params = try app.mediator.openUrl(text) as? [String: any Sendable]
                answered += 1
                #expect(params?["@options"] == nil, "\(text)")
                #expect(params?["@url"] as? String == text)
                #expect(text.contains("shop/") && text.contains("open") || text.contains("cart/"), "\(text)")
                #expect(!text.contains("/pay") || text.contains("cart/pay"), "\(text)")
            } catch {
                #expect(error is MediatorError)
            }
        }
        #expect(answered > 20)
        #expect(app.calls.withLock { $0 } == answered)
    }

    @Test("An error message gives the place, the error, the rule and the fix, and escapes control characters")
    func messages() throws {
        let app = try App()
        #expect(
            refusal(app, "app://shop/50%")?.description
                == "URL \"app://shop/50%\", byte 13: \"%\" is not followed by two hexadecimal digits. "
                + "Guessing would produce text that nobody wrote. Write a percent sign as %25.")
        let forged = refusal(app, "app://shop/%0A%1B%5B2J")
        #expect(forged?.action == "\n\u{1B}[2J")
        #expect(forged?.description.hasPrefix(#"target "shop", action "\u{A}\u{1B}[2J": "#) == true)
    }

    @Test("A remote call to a local action throws localOnly without calling the action")
    func localOnly() throws {
        let app = try App()
        let error = refusal(app, "app://shop/pay")
        #expect(error?.reason == .localOnly)
        #expect([error?.target, error?.action] == ["shop", "pay"])
        #expect(app.calls.withLock { $0 } == 0)
        #expect(try app.mediator.performTarget("shop", action: "pay") != nil)
    }

    @Test("A remote call reaches a target's notFound action only if that action is open to remote calls")
    func remoteNotFound() throws {
        let app = try App()
        #expect(refusal(app, "app://shop/old")?.reason == .actionNotFound)
        #expect(refusal(app, "app://shop/notFound")?.reason == .localOnly)
        let result = try app.mediator.openUrl("app://cart/old?x=1") as? [String: any Sendable]
        #expect(result?["@action"] as? String == "old")
        #expect(result?["x"] as? String == "1")
        app.mediator.setNotFound { call, _ in call.scheme }
        #expect(try app.mediator.openUrl("app://nowhere/old") as? String == "app")
    }

    @Test("A guard may deny remote calls with a reason, and is not called for local calls")
    func guards() throws {
        let app = try App()
        app.mediator.setGuard { _ in "replaced by the next guard" }
        app.mediator.setGuard { call in
            call.params["token"] as? String == "1" && call.scheme == "app"
                ? nil : "no token for \(call.target)/\(call.action)"
        }
        #expect(refusal(app, "app://Shop/open")?.reason == .denied("no token for shop/open"))
        #expect(refusal(app, "web://shop/open?token=1")?.reason == .denied("no token for shop/open"))
        #expect(app.calls.withLock { $0 } == 0)
        #expect(try app.mediator.openUrl("app://shop/open?token=1") != nil)
        #expect(try app.mediator.performTarget("shop", action: "open") != nil)
        #expect(app.calls.withLock { $0 } == 2)
    }

    @Test("A rejected remote call creates no state, and throws the same error when state is cached")
    func refusedBeforeMade() throws {
        let app = try App()
        let made = Counter(app)
        let target = LinkTarget("made") { made.count() }
        try app.mediator.install([
            target.action("open", from: .outside) { _, _ in 1 },
            target.action("pay") { _, _ in 2 },
        ])
        let asked = Mutex(0)
        app.mediator.setGuard { call in
            asked.withLock { $0 += 1 }
            return call.params["token"] == nil ? "no token" : nil
        }
        func refusals() -> [MediatorError.Reason?] {
            ["pay", "none", "open"].map { refusal(app, "app://made/\($0)")?.reason }
        }
        #expect(refusals() == [.localOnly, .actionNotFound, .denied("no token")])
        #expect(app.calls.withLock { $0 } == 0)
        #expect(asked.withLock { $0 } == 1)
        #expect(try app.mediator.openUrl("app://made/open?token=1") as? Int == 1)
        #expect(app.calls.withLock { $0 } == 1)
        #expect(asked.withLock { $0 } == 2)
        #expect(try app.mediator.performTarget("made", action: "pay", shouldCacheTarget: true) as? Int == 2)
        #expect(refusals() == [.localOnly, .actionNotFound, .denied("no token")])
        #expect(try app.mediator.openUrl("app://made/open?token=1") as? Int == 1)
        #expect(asked.withLock { $0 } == 4)
    }

    @Test(
        "A remote call compares the target without case, because systems lower-case hosts; actions keep theirs"
    )
    func cases() throws {
        let mediator = Mediator()
        try mediator.install([.action("rideTarget", "listAll", from: .outside) { _ in 1 }])
        #expect(try mediator.openUrl("app://ridetarget/listAll") as? Int == 1)
        #expect(try mediator.openUrl("app://RIDETARGET/listAll") as? Int == 1)
        func similar(_ call: () throws -> (any Sendable)?) -> String? {
            #expect(throws: MediatorError.self) { _ = try call() }?.similar
        }
        #expect(similar { try mediator.openUrl("app://ridetarget/listall") } == "listAll")
        #expect(similar { try mediator.performTarget("ridetarget", action: "listAll") } == "rideTarget")
        #expect(similar { try mediator.performTarget("rides", action: "listAll") } == nil)
        let twice = #expect(throws: MediatorError.self) {
            try mediator.install([.action("RideTarget", "other") { _ in 2 }])
        }
        #expect(twice?.description.hasPrefix("target \"RideTarget\": the target is installed twice") == true)
        #expect(throws: MediatorError.self) {
            try mediator.install([.action("a", "x") { _ in 1 }, .action("A", "y") { _ in 2 }])
        }
        mediator.remove(target: "rideTarget")
        try mediator.install([.action("RideTarget", "other") { _ in 2 }])
    }

    @Test("A string and the Foundation URL made of it open the same action, or the string is refused")
    func foundationURLs() throws {
        let app = try App()
        let text = "app://SHOP/open?name=a%20b"
        let result = try app.mediator.openUrl(#require(URL(string: text))) as? [String: any Sendable]
        #expect(result?["name"] as? String == "a b")
        #expect(throws: MediatorError.self) { try app.mediator.openUrl("app://shop/open?q=50%25|%D1%82") }
    }

    @Test("A remote call with await reaches async actions")
    func asyncActions() async throws {
        let mediator = Mediator()
        try mediator.install([
            .action("t", "slow", from: .outside) { params in
                await Task.yield()
                return params["x"]
            }
        ])
        #expect(try await mediator.openUrl("app://t/slow?x=1") as? String == "1")
    }
}
