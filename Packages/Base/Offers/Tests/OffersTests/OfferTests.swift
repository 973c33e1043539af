import Dispatch
import Offers
import Synchronization
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

@Suite("A module's offers") struct OfferTests {
    private let offers: [Offer] = [
        .route("at once", from: .outside, priority: 2) { ["page": $0["name"] as? String ?? "HomeVC"] },
        .route("later") { [counter = Counter()] _ in await counter.next() },
        .route("page", on: MainActor.shared) { HomeVC(title: $0["title"] as? String ?? "") },
        .action("home", "at once") { _ in nil },
        .action("home", "later", from: .outside) { [counter = Counter()] _ in await counter.next() },
        .action("home", "page", on: MainActor.shared) { _ in HomeVC(title: "action") },
    ]

    @Test("An offer contains its name, the callers that may reach it, its priority and its source location")
    func fields() throws {
        #expect(
            offers.map(\.name.description) == [
                "at once", "later", "page", "home/at once", "home/later", "home/page",
            ])
        #expect(offers.map { $0.callers == .outside } == [true, false, false, false, true, false])
        #expect(offers.map(\.priority) == [2, 0, 0, 0, 0, 0])
        #expect(offers.allSatisfy { $0.site.hasPrefix("OffersTests/OfferTests.swift:") })
        #expect(Set(offers.map(\.site)).count == offers.count)
        #expect(offers.first(.route("home/page")) == nil)
    }

    @Test("The compiler chooses the kind of handler from the closure")
    func kinds() {
        let kinds = offers.map { offer in
            switch offer.handler {
            case .sync: "sync"
            case .async: "async"
            case .onMain: "onMain"
            }
        }
        #expect(kinds == ["sync", "async", "onMain", "sync", "async", "onMain"])
        #expect(offers.map(\.handler.isAsync) == [false, true, false, false, true, false])
    }

    private func callNow(_ offer: Offer) throws -> (any Sendable)? { try offer.call(["title": "now"]) }

    @MainActor @Test("On the main actor, a main-actor offer returns its value immediately")
    func atOnceOnMain() throws {
        #expect((try callNow(offers[2]) as? HomeVC)?.title == "now")
        #expect((try callNow(offers[5]) as? HomeVC)?.title == "action")
    }

    @Test("Off the main actor, main-actor offers require await; calls without await throw needsMainActor")
    func elsewhere() async throws {
        let page = try await offers[2].call(["title": "waited"]) as? HomeVC
        #expect(await page?.title == "waited")
        let counter = Counter()
        await isolated(to: counter)
    }

    private func isolated(to counter: isolated Counter) {
        #expect(throws: HandlerError.needsMainActor) { try callNow(offers[2]) }
    }

    @Test("Code outside any task, on a queue other than the main queue, is off the main actor")
    func threads() async {
        let offers = offers
        let errors = await withCheckedContinuation { result in
            DispatchQueue(label: "other").async {
                do {
                    _ = try offers[2].call()
                    result.resume(returning: HandlerError?.none)
                } catch {
                    result.resume(returning: error as? HandlerError)
                }
            }
        }
        #expect(errors == .needsMainActor)
    }

    @Test("Code on the main queue is on the main actor, even outside any task")
    func mainQueue() async {
        let offers = offers
        let title = await withCheckedContinuation { result in
            DispatchQueue.main.async {
                let page = try? offers[2].call(["title": "queue"]) as? HomeVC
                result.resume(returning: MainActor.assumeIsolated { page?.title })
            }
        }
        #expect(title == "queue")
    }

    @Test("Async offers require await; calls without await throw needsAwait")
    func needsAwait() async throws {
        #expect(throws: HandlerError.needsAwait) { try callNow(offers[1]) }
        #expect(try await offers[1].call() as? Int == 1)
        #expect(try await offers[0].call(["name": "x"]) as? [String: String] == ["page": "x"])
    }

    @Test("A target's action uses the call's state, or creates state if the call contains none")
    func targets() async throws {
        let made = Atomic(0)
        let cart = OfferedTarget("cart") { made.add(1, ordering: .relaxed).newValue }
        let now = cart.action("now", from: .outside) { number, parameters in
            "\(number) \(parameters["x"] ?? "")"
        }
        let later = cart.action("later") { [counter = Counter()] number, _ in await counter.next() + number }
        let page = cart.action("page", on: MainActor.shared) { number, _ in HomeVC(title: "\(number)") }
        #expect(now.name == .action(target: "cart", action: "now") && now.callers == .outside)
        #expect(now.makeState === later.makeState && later.makeState === page.makeState)
        #expect(made.load(ordering: .relaxed) == 0)
        #expect(try callNow(cart.action("y") { number, _ in number }) as? Int == 1)
        let call = Offer.Call(["x": "y"], state: now.makeState?.make())
        #expect(try await now.handler.call(call) as? String == "2 y")
        #expect(try await later.handler.call(call) as? Int == 3)
        let title = try await page.handler.call(call) as? HomeVC
        #expect(await title?.title == "2")
        #expect(made.load(ordering: .relaxed) == 2)
    }

    @Test("An observer is notified when a call begins and when it ends, and receives the call's error")
    func observed() async throws {
        struct Broken: Error {}
        let heard = Mutex<[String]>([])
        let tell: @Sendable (String) -> Void = { line in heard.withLock { $0.append(line) } }
        let broken: [Offer] = [
            .action("a", "sync") { _ in throw Broken() },
            .action("a", "async") { _ in
                await Task.yield()
                throw Broken()
            },
            .action("a", "main", on: MainActor.shared) { _ in throw Broken() },
        ]
        for offer in offers.prefix(3) + broken {
            let offer = offer.observed {
                tell("begin \(offer.name)")
                return { tell("end \(offer.name) \($0.map { "\($0)" } ?? "")") }
            }
            _ = try? await offer.call()
        }
        #expect(
            heard.withLock { $0 } == [
                "begin at once", "end at once ", "begin later", "end later ", "begin page", "end page ",
                "begin a/sync", "end a/sync Broken()", "begin a/async", "end a/async Broken()",
                "begin a/main",
                "end a/main Broken()",
            ])
    }
}
