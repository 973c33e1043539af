import ApiCenter
import Dispatch
import Links
import Synchronization
import TestSupport
import Testing

/// A page that is isolated to the main actor, like a view controller.
@MainActor private final class HomeVC {
    private(set) var title: String
    init(title: String) { self.title = title }
}

private actor Counter {
    private var count = 0
    func next() -> Int {
        count += 1
        return count
    }
}

@Suite("A module's links", .waitLimit) struct LinkTests {
    private let links: [Link] = [
        .route("at once", from: .outside) { ["page": $0.param("name", "HomeVC")] },
        .route("later") { [counter = Counter()] _ in await counter.next() },
        .route("page", on: MainActor.shared) { HomeVC(title: $0.param("title", "")) },
        .action("home", "at once") { _ in nil },
        .action("home", "later", from: .outside) { [counter = Counter()] _ in await counter.next() },
        .action("home", "page", on: MainActor.shared) { _ in HomeVC(title: "action") },
    ]

    @Test(
        "A link contains its name, the callers that may reach it, the kind of its handler, and its source location"
    )
    func fields() throws {
        let fields = links.map { link in
            let kind =
                switch link.handler {
                case .sync: "sync"
                case .async: "async"
                case .onMain: "onMain"
                }
            return "\(link.name) \(link.callers) \(kind)"
        }
        #expect(
            fields == [
                "at once outside sync", "later inside async", "page inside onMain",
                "home/at once inside sync", "home/later outside async", "home/page inside onMain",
            ])
        #expect(links.allSatisfy { $0.site.fileID == "LinksTests/LinkTests.swift" })
        #expect(Set(links.map(\.site)).count == links.count)
        #expect(links.first(.route("home/page")) == nil)
    }

    private func callNow(_ link: Link) throws -> (any Sendable)? { try link.call(["title": "now"]) }

    @MainActor @Test("On the main actor, a main-actor link returns its value immediately")
    func atOnceOnMain() throws {
        #expect((try callNow(links[2]) as? HomeVC)?.title == "now")
        #expect((try callNow(links[5]) as? HomeVC)?.title == "action")
    }

    @Test("Off the main actor, main-actor links require await; calls without await throw needsMainActor")
    func elsewhere() async throws {
        let page = try await links[2].call(["title": "waited"]) as? HomeVC
        #expect(await page?.title == "waited")
        let counter = Counter()
        await isolated(to: counter)
    }

    private func isolated(to counter: isolated Counter) {
        #expect(#expect(throws: LinkError.self) { try callNow(links[2]) }?.reason == .needsMainActor)
    }

    @Test("Code outside any task is on the main actor on the main queue, and on no other queue")
    func queues() async {
        let link = links[2]
        let elsewhere = await withCheckedContinuation { result in
            DispatchQueue(label: "other").async {
                do {
                    _ = try link.call()
                    result.resume(returning: LinkError?.none)
                } catch {
                    result.resume(returning: error as? LinkError)
                }
            }
        }
        #expect(elsewhere?.reason == .needsMainActor)
        let title = await withCheckedContinuation { result in
            DispatchQueue.main.async {
                let page = try? link.call(["title": "queue"]) as? HomeVC
                result.resume(returning: MainActor.assumeIsolated { page?.title })
            }
        }
        #expect(title == "queue")
    }

    @Test("Async links require await; calls without await throw needsAwait")
    func needsAwait() async throws {
        #expect(#expect(throws: LinkError.self) { try callNow(links[1]) }?.reason == .needsAwait)
        #expect(try await links[1].call() as? Int == 1)
        #expect(try await links[0].call(["name": "x"]) as? [String: String] == ["page": "x"])
    }

    @Test("A target's action uses the call's state, or creates state if the call contains none")
    func targets() async throws {
        let made = Atomic(0)
        let cart = LinkTarget("cart") { made.add(1, ordering: .relaxed).newValue }
        let now = cart.action("now", from: .outside) { number, parameters in
            "\(number) \(parameters.param("x", ""))"
        }
        let later = cart.action("later") { [counter = Counter()] number, _ in await counter.next() + number }
        let page = cart.action("page", on: MainActor.shared) { number, _ in HomeVC(title: "\(number)") }
        #expect(now.name == .action(target: "cart", action: "now") && now.callers == .outside)
        #expect(now.makeState === later.makeState && later.makeState === page.makeState)
        #expect(made.load(ordering: .relaxed) == 0)
        #expect(try callNow(cart.action("y") { number, _ in number }) as? Int == 1)
        let call = Link.Call(["x": "y"], state: now.makeState?.make())
        #expect(try await now.handler.call(call) as? String == "2 y")
        #expect(try await later.handler.call(call) as? Int == 3)
        let title = try await page.handler.call(call) as? HomeVC
        #expect(await title?.title == "2")
        #expect(made.load(ordering: .relaxed) == 2)
    }

    @Test("A link looks Apis up when it is called, and answers nothing when the app is gone")
    func center() throws {
        var center: ApiCenter? = ApiCenter()
        let hello = try #require(
            center.flatMap { GreetingLinks().links(in: $0) }?
                .first(.action(target: "greeting", action: "hello")))
        // No Api is registered yet, so the action throws, and its caller gets the error.
        #expect(throws: ApiError.self) { try hello.call() }
        center?.register(GreetingApiProtocol.self) { Greeting() }
        #expect(try hello.call() as? String == "Hello, you.")
        #expect(try hello.call(["name": "Li Lei"]) as? String == "Hello, Li Lei.")
        #expect(hello.callers == .outside)
        center = nil
        #expect(try hello.call() == nil)
    }
}
