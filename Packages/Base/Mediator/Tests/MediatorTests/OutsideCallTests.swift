import Foundation
import Links
import Mediator
import TestSupport
import Testing

@Suite("Calls from outside through the mediator") struct OutsideCallTests {
    private let mediator = Mediator()
    private let calls = Shared(0)

    /// Installs actions that count their calls and return their parameters.
    init() throws {
        let calls = calls
        let echo: @Sendable (Parameters) throws -> (any Sendable)? = {
            calls.update { $0 += 1 }
            return $0.values
        }
        try mediator.install([
            .action("shop", "open", from: .outside, handler: echo),
            .action("shop", "pay") { _ in ["local": true] },
            .action("shop", "notFound") { _ in ["local": true] },
            .action("cart", "notFound", from: .outside, handler: echo),
        ])
    }

    private func open(_ url: String) throws -> [String: any Sendable]? {
        try mediator.openUrl(url) as? [String: any Sendable]
    }

    private func refusal(_ url: String) -> MediatorError? {
        MediatorTests.refusal { try mediator.openUrl(url) }
    }

    @Test("An action that is open to calls from outside gets the query's values, the URL and the options")
    func parameters() throws {
        let result = try mediator.openUrl("app://shop/open?id=7&t=a&t=b", options: ["from": "mail"])
        let params = try #require(result as? [String: any Sendable])
        #expect(params["id"] as? String == "7")
        #expect(params["t"] as? [String] == ["a", "b"])
        #expect(params["@url"] as? String == "app://shop/open?id=7&t=a&t=b")
        #expect((params["@options"] as? [String: any Sendable])?["from"] as? String == "mail")
        #expect(params.count == 4)
    }

    @Test("Reserved keys in a query are dropped, even if they are percent-encoded or repeated")
    func reservedKeys() throws {
        let params = try #require(
            try open("app://shop/open?@options=x&%40url=y&@url=z&@=1&a@=2&%40%CC%81=3"))
        #expect(Set(params.keys) == ["@url", "a@"])
        #expect((params["@url"] as? String)?.hasPrefix("app://") == true)
    }

    @Test("Random URLs never reach an action that is open to calls from inside only", arguments: 0..<4)
    func fuzz(seed: UInt64) throws {
        var random = SeededRandom(seed)
        let pieces = [
            "app", "://", ":", "/", "shop", "cart", "open", "pay", "notFound", "?", "&", "=", "%40", "@", "#",
            "%",
        ]
        var answered = 0
        for _ in 0..<3_000 {
            let prefix = random.pick(["", "app://shop/", "app://shop/"])
            let text =
                prefix
                + (0..<Int.random(in: 0..<6, using: &random)).map { _ in random.pick(pieces) }.joined()
            do {
                let params = try open(text)
                answered += 1
                #expect(params?["local"] == nil && params?["@options"] == nil, "\(text)")
                #expect(params?["@url"] as? String == text)
            } catch {
                #expect(error is MediatorError)
            }
        }
        #expect(answered > 20)
        #expect(calls.value == answered)
    }

    @Test("An error message escapes the control characters of a URL")
    func messages() {
        let forged = refusal("app://shop/%0A%1B%5B2J")
        #expect(forged?.action == "\n\u{1B}[2J")
        #expect(forged?.description.hasPrefix(#"target "shop", action "\u{A}\u{1B}[2J": "#) == true)
    }

    @Test("A call from outside reaches a target's notFound action only if that action is open to such calls")
    func remoteNotFound() throws {
        #expect(refusal("app://shop/old")?.reason == .actionNotFound)
        #expect(refusal("app://shop/notFound")?.reason == .localOnly)
        let result = try open("app://cart/old?x=1")
        #expect(result?["@action"] as? String == "old")
        #expect(result?["x"] as? String == "1")
        mediator.setNotFound { call, _ in call.url?.scheme }
        #expect(try mediator.openUrl("app://nowhere/old") as? String == "app")
    }

    @Test(
        "A rejected call from outside creates no state, and throws the same error when state is cached"
    )
    func refusedBeforeMade() throws {
        let calls = calls
        let target = LinkTarget("made") { calls.update { $0 += 1 } }
        try mediator.install([
            target.action("open", from: .outside) { _, _ in 1 },
            target.action("pay") { _, _ in 2 },
        ])
        let asked = Shared(0)
        mediator.setGuard { call in
            asked.update { $0 += 1 }
            return call.origin == .outside && call.parameters["token"] == nil ? "no token" : nil
        }
        func refusals() -> [MediatorError.Reason?] {
            ["pay", "none", "open"].map { refusal("app://made/\($0)")?.reason }
        }
        #expect(refusals() == [.localOnly, .actionNotFound, .denied("no token")])
        #expect(calls.value == 0)
        #expect(asked.value == 1)
        #expect(try mediator.openUrl("app://made/open?token=1") as? Int == 1)
        #expect(calls.value == 1)
        #expect(asked.value == 2)
        #expect(try mediator.performTarget("made", action: "pay", shouldCacheTarget: true) as? Int == 2)
        #expect(refusals() == [.localOnly, .actionNotFound, .denied("no token")])
        #expect(try mediator.openUrl("app://made/open?token=1") as? Int == 1)
        #expect(asked.value == 5)
    }

    @Test(
        "A guard also hears the app's own calls: one that it refuses throws denied, and observers hear of it")
    func ownCalls() throws {
        let heard = Shared<[String]>([])
        mediator.table.addObserver { call in
            { error in heard.update { $0.append("\(call.requested) \(call.origin) \(error == nil)") } }
        }
        mediator.setGuard { call in call.parameters["token"] == nil ? "no token" : nil }
        #expect(
            MediatorTests.refusal { try mediator.performTarget("shop", action: "pay") }?.reason
                == .denied("no token"))
        #expect(try mediator.performTarget("shop", action: "pay", params: ["token": 1]) != nil)
        // The guard of a mediator that should hear only calls from outside, as before.
        mediator.setGuard { call in
            call.origin == .outside && call.parameters["token"] == nil ? "no token" : nil
        }
        #expect(try mediator.performTarget("shop", action: "pay") != nil)
        #expect(refusal("app://shop/open")?.reason == .denied("no token"))
        #expect(
            heard.value == [
                "shop/pay inside false", "shop/pay inside true", "shop/pay inside true",
                "app://shop/open outside false",
            ])
    }

    @Test(
        "From outside, a query value holds no NUL, and the name of a missing action no control character or dots"
    )
    func unsafeText() throws {
        func key(_ url: String) -> String? {
            if case .badParameter(let error)? = refusal(url)?.reason { error.key } else { nil }
        }
        #expect(key("app://shop/open?x=1&y=a%00b") == "y")
        #expect(
            try open("app://shop/open?url=https%3A%2F%2Fa.cn%2F..%2Fb&text=a%0Ab")?["text"] as? String
                == "a\nb")
        #expect(key("app://cart/a%0Ab") == "@action")
        #expect(key("app://cart/..") == "@action")
        #expect(key("app://cart/a%2F..%2Fb") == "@action")
        #expect(try open("app://cart/a..b")?["@action"] as? String == "a..b")
        #expect(refusal("app://shop/a%0Ab")?.reason == .actionNotFound)
        #expect(try open("app://shop/open?*=x&x=1")?["*"] == nil)
    }

    @Test(
        "A call from outside compares the target without case, because systems lower-case hosts; actions keep theirs"
    )
    func cases() throws {
        try mediator.install([.action("rideTarget", "listAll", from: .outside) { _ in 1 }])
        #expect(try mediator.openUrl("app://ridetarget/listAll") as? Int == 1)
        #expect(try mediator.openUrl("app://RIDETARGET/listAll") as? Int == 1)
        #expect(refusal("app://ridetarget/listall")?.similar == "listAll")
        func similar(_ target: String) -> String? {
            MediatorTests.refusal { try mediator.performTarget(target, action: "listAll") }?.similar
        }
        #expect([similar("ridetarget"), similar("rides")] == ["rideTarget", nil])
        let twice = #expect(throws: MediatorError.self) {
            try mediator.install([.action("RideTarget", "other") { _ in 2 }])
        }
        #expect(twice?.description.contains("rideTarget/listAll") == true)
        #expect(throws: MediatorError.self) {
            try mediator.install([.action("a", "x") { _ in 1 }, .action("A", "y") { _ in 2 }])
        }
        mediator.remove(target: "rideTarget")
        try mediator.install([.action("RideTarget", "other") { _ in 2 }])
    }

    @Test("A string and the Foundation URL made of it open the same action, or the string is refused")
    func foundationURLs() throws {
        let text = "app://SHOP/open?name=a%20b"
        let result = try mediator.openUrl(#require(URL(string: text))) as? [String: any Sendable]
        #expect(result?["name"] as? String == "a b")
        #expect(throws: MediatorError.self) { try mediator.openUrl("app://shop/open?q=50%25|%D1%82") }
    }
}
