import Links
import Pages
import Routes
import TestSupport
import Testing

@testable import Screens

private struct TextPage: Page {
    let title: String
    func contents() -> [PageContent] { [] }
}

/// Routes that answer when the test says so, and count how often they are asked.
@MainActor private final class SlowRoutes {
    private(set) var asked: [String] = []
    private var waiting: [String: CheckedContinuation<Void, Never>] = [:]
    private let arrivals = AsyncStream<Void>.makeStream()
    var slow: Set<String> = []
    var failing: Set<String> = []
    var opened: [String] = []

    func ask(_ address: PageAddress) async throws -> any Page {
        asked.append(address.route)
        if slow.contains(address.route) {
            await withCheckedContinuation {
                waiting[address.route] = $0
                arrivals.continuation.yield()
            }
        }
        if failing.contains(address.route) { throw LinkError.denied("closed") }
        if address.route == "absent" { throw LinkError(.noMatch, url: "absent") }
        if address.route == "inner" { throw LinkError(.noMatch, url: "other_vc") }
        return TextPage(title: address.route + address.parameters.values.sorted().joined())
    }

    /// Waits until a slow route has been asked.
    func arrival() async { for await _ in arrivals.stream { return } }

    func answer(_ route: String) { waiting.removeValue(forKey: route)?.resume() }
}

@Suite("A stack of screens", .timeLimit(.minutes(10)), .waitLimit)
@MainActor struct ScreenStackTests {
    private let routes = SlowRoutes()
    private let stack: ScreenStack

    init() {
        let routes = routes
        stack = ScreenStack(
            first: PageAddress("home"), ask: routes.ask,
            open: { url in
                routes.opened.append(url)
                return {
                    switch url {
                    case "app://page": TextPage(title: "linked")
                    case "app://value": 1
                    case "app://slow": try await routes.ask(PageAddress("link"))
                    default: throw LinkError(.localOnly, url: url)
                    }
                }
            })
    }

    /// The titles from the first screen to the top.
    private var titles: [String] {
        ([stack.first].compactMap(\.self) + stack.path).map { $0.page?.title ?? "-" }
    }

    private func push(_ routes: String...) async throws {
        for route in routes { try await stack.push(PageAddress(route)) }
    }

    @Test("The first screen is loaded once, and screens are pushed and popped above it")
    func pushes() async throws {
        #expect(stack.top == nil)
        await stack.load()
        await stack.load()
        try await stack.push(PageAddress("ride", ["id": "7"]), message: "Welcome.")
        stack.show(TextPage(title: "web"))
        #expect(titles == ["home", "ride7", "web"])
        #expect(stack.path.first?.message == "Welcome." && stack.top?.address == nil)
        stack.pop()
        #expect(titles == ["home", "ride7"])
        stack.pop()
        stack.pop()
        #expect(titles == ["home"])
        try await push("ride", "user")
        stack.popToFirst()
        #expect(titles == ["home"])
        #expect(routes.asked == ["home", "ride", "ride", "user"])
    }

    @Test("A user who goes back makes the path shorter, and the screens are forgotten")
    func shorterPath() async throws {
        try await push("ride", "user", "journey")
        let path = stack.path
        stack.path = Array(path.prefix(1))
        #expect(stack.path == [path[0]])
        try await push("user")
        // An identity is never used again, so SwiftUI keeps no state of the former screen.
        #expect(!path.contains(stack.path[1]))
        stack.path = [path[2], stack.path[1], path[0]]
        #expect(titles == ["ride", "user"])
    }

    @Test("A route that fails leaves the stack unchanged, and an absent module has a screen without a page")
    func failures() async throws {
        routes.failing = ["ride", "home"]
        await stack.load()
        #expect(stack.first == nil && stack.failure is LinkError)
        await #expect(throws: LinkError.self) { try await stack.push(PageAddress("ride")) }
        // Another route that the page's module calls is no absent page.
        await #expect(throws: LinkError.self) { try await stack.push(PageAddress("inner")) }
        #expect(stack.path.isEmpty)
        try await push("absent")
        #expect(stack.top?.page == nil && stack.top?.address == PageAddress("absent"))
        routes.failing = []
        await stack.load()
        #expect(stack.first?.page?.title == "home" && stack.failure == nil)
    }

    @Test(
        "A route of Routes that no module answers is absent, and one that is misspelt is an error",
        arguments: [("gone_vc", true), ("RIDE_VC", false)])
    func router(_ route: String, _ isAbsent: Bool) async throws {
        let table = LinkTable(), router = Routes(on: table)
        try table.install([
            .route("home_vc", from: .outside, on: MainActor.shared) { _ in TextPage(title: "home") },
            .route("ride_vc", on: MainActor.shared) { _ in TextPage(title: "ride") },
        ])
        let stack = window(on: router, opening: table)
        await stack.load()
        try await stack.open("home_vc").value
        #expect(stack.first?.page?.title == "home" && stack.top?.page?.title == "home")
        #expect(stack.path.count == 1)
        if isAbsent {
            try await stack.push(PageAddress(route))
            #expect(stack.top?.page == nil)
        } else {
            await #expect(throws: LinkError.self) { try await stack.push(PageAddress(route)) }
        }
        await #expect(throws: LinkError.self) { try await stack.open("ride_vc").value }
        await #expect(throws: LinkError.self) { try await self.stack.open("app://closed").value }
    }

    @Test("Two taps open one screen, and a screen that the user has left does not get its answer")
    func overtaken() async throws {
        routes.slow = ["slow"]
        try await push("ride")
        for leave in [{ self.stack.pop() }, { self.stack.show(TextPage(title: "other")) }] {
            let push = Task { try await stack.push(PageAddress("slow")) }
            await routes.arrival()
            leave()
            routes.answer("slow")
            let screen = try await push.value
            #expect(screen == nil)
        }
        #expect(titles == ["other"])
        let first = Task { try await stack.push(PageAddress("slow")) }
        await routes.arrival()
        try await push("user")
        routes.answer("slow")
        let screen = try await first.value
        #expect(screen == nil && titles == ["other", "user"])
    }

    @Test("Of two loads of the first screen, the first answer stays")
    func loads() async throws {
        routes.slow = ["home"]
        let load = Task { await stack.load() }
        await routes.arrival()
        routes.slow = []
        await stack.load()
        let first = stack.first
        routes.answer("home")
        await load.value
        #expect(stack.first == first && first != nil)
    }

    @Test("A link from outside is shown wherever the user is, unless its value is no page")
    func links() async throws {
        try await push("ride")
        let openings = ["app://page", "app://value", "app://closed"].map { stack.open($0) }
        // Links are opened in order, before their tasks begin.
        #expect(routes.opened == ["app://page", "app://value", "app://closed"])
        try await openings[0].value
        try await openings[1].value
        #expect(titles == ["ride", "linked"])
        await #expect(throws: LinkError.self) { try await openings[2].value }
        routes.slow = ["link"]
        let slow = stack.open("app://slow")
        await routes.arrival()
        stack.pop()
        try await push("user")
        routes.answer("link")
        try await slow.value
        #expect(titles == ["ride", "user", "link"])
    }

    @Test(
        "The page of a link is shown to the user who opened it, and to one who logs in after nobody",
        arguments: [nil, "ann"])
    func linkOfUser(owner: String?) async throws {
        routes.slow = ["link"]
        stack.follow(owner)
        let link = stack.open("app://slow")
        await routes.arrival()
        stack.follow("ann")
        routes.answer("link")
        try await link.value
        #expect(titles == ["link"])
    }

    @Test("The step of a page is taken only while its screen is on top")
    func steps() async throws {
        await stack.load()
        let home = try #require(stack.top).id
        try await stack.go(.open("ride", ["id": "1"], saying: "Hello."), from: home)
        #expect(titles == ["home", "ride1"] && stack.top?.message == "Hello.")
        // The user of `home` cannot go back from `ride`.
        try await stack.go(.back(), from: home)
        #expect(titles == ["home", "ride1"])
        try await stack.go(.show(TextPage(title: "web"), saying: "News."), from: stack.path[0].id)
        #expect(stack.top?.message == "News.")
        try await stack.go(.stay(), from: stack.path[1].id)
        #expect(titles == ["home", "ride1", "web"])
        try await stack.go(.back(saying: "Read."), from: stack.path[1].id)
        #expect(titles == ["home", "ride1"] && stack.top?.message == "Read.")
        try await stack.go(.back(saying: "Done."), from: stack.path[0].id)
        #expect(titles == ["home"] && stack.top?.message == "Done.")
    }

    @Test("A push that was begun before the log-out is dropped, even without a first screen")
    func logOutBeforeLoading() async throws {
        routes.slow = ["slow"]
        stack.follow("ann")
        let push = Task { try await stack.push(PageAddress("slow")) }
        await routes.arrival()
        stack.follow(nil)
        routes.answer("slow")
        let screen = try await push.value
        #expect(screen == nil && stack.top == nil)
    }

    @Test("Another user, or nobody, does not see the screens of the former one")
    func owners() async throws {
        routes.slow = ["slow", "link"]
        await stack.load()
        try await push("login")
        stack.follow("ann")
        #expect(titles == ["home", "login"])
        stack.follow("ann")
        #expect(titles == ["home", "login"])
        stack.follow("bob")
        #expect(titles == ["home"] && stack.owner == "bob")
        // What Bob has begun does not appear after he has logged out.
        let bobs = try #require(stack.first)
        let push = Task { try await stack.push(PageAddress("slow")) }
        await routes.arrival()
        let link = stack.open("app://slow")
        await routes.arrival()
        stack.follow(nil)
        routes.answer("slow")
        routes.answer("link")
        _ = try await (push.value, link.value)
        try await stack.go(.show(TextPage(title: "his")), from: bobs.id)
        #expect(titles == ["home"])
        // A push that nobody had begun before the log-in goes on.
        let login = Task { try await stack.push(PageAddress("slow")) }
        await routes.arrival()
        stack.follow("ann")
        routes.answer("slow")
        let screen = try await login.value
        #expect(screen != nil && titles == ["home", "slow"])
    }
}
