import Links
import Routes
import Testing

@Suite("Registering routes") struct RegistrationTests {
    private let routes = Routes()

    @Test(
        "An invalid pattern is rejected with the offset of the error",
        arguments: [
            ("", 0), ("a b", 1), ("a?x", 1), ("a#x", 1), ("a/*/b", 2), ("a(/*)/b", 3), ("a*", 1), ("a:b", 1),
            ("a/:", 3),
            ("a/:1x", 3), ("a/:x-y", 3), (":x/:x", 4), (":x(/*x)", 5), ("a/:x<", 4), ("a/:x<text>", 4),
            ("a/:x<int>y", 4),
            ("a(b)", 2), ("a(/b", 2), ("a)", 1), ("()", 1), ("a(/)", 2), ("a(/b)c", 5), ("a/%", 2),
            ("a/b%FF", 3),
            ("(/:a)(/:b)", 0), ("a(/b)(/b)", 0), ("(/a)(/b)(/c)(/d)(/e)(/f)", 20), ("1a://b", 2),
            ("app:a", 3), ("app://乘车/页", 6), ("//%C3%A9", 2), ("app://XN--a/b", 6), ("a\u{7F}b", 1),
            (String(repeating: "a", count: AppURL.maximumLength + 1), AppURL.maximumLength),
            (String(repeating: "a/", count: 65), 128),
        ])
    func badPatterns(text: String, position: Int) {
        let error = #expect(throws: RouteError.self) { try routes.addRoute(text) { _ in .success(nil) } }
        #expect(error?.position == position, "\(error as Any)")
        #expect(routes.allRoutes().isEmpty)
    }

    @Test("A pattern may be as long as a URL")
    func longest() throws {
        let longest = String(repeating: "a", count: AppURL.maximumLength)
        try routes.addRoute(longest) { _ in .success(1) }
        #expect(routes.routeURL(longest).isSuccess)
    }

    @Test(
        "Two patterns with the same shape conflict, whatever the names of their parameters",
        arguments: [
            ("a/:x", "a/:y"), ("a/*", "a/*rest"), ("app://a/b", "app:/a/b"), ("a(/b)", "a"), ("a(/b)", "a/b"),
            ("é", "e\u{301}"), ("%61", "/a/"), (":x<int>", ":y<int>"), ("app://moduleA/x", "APP://modulea/x"),
            ("A/b", "a/b"),
        ])
    func conflicts(first: String, second: String) throws {
        try routes.addRoute(first) { _ in .success(1) }
        let error = #expect(throws: RouteError.self) { try routes.addRoute(second) { _ in .success(2) } }
        #expect(error?.isConflict == true)
        #expect(error?.description.ranges(of: "RegistrationTests.swift:").count == 2)
        #expect(routes.allRoutes().count == 1)
    }

    /// A finder that refuses every action.
    private final class RefusingFinder: LinkFinder {
        let kind = Link.Kind.action
        func find(_ call: LinkCall) throws(LinkError) -> FoundLink { throw LinkError(.noMatch) }
        func add(_ links: [Link], with others: () throws(LinkError) -> Void) throws(LinkError) {
            if let link = links.first { throw LinkError(.conflict("taken"), name: link.name) }
            try others()
        }
    }

    @Test("If the actions of a module are refused, none of its routes is installed")
    func otherLinks() throws {
        let table = LinkTable()
        let routes = Routes(on: table)
        _ = table.finder { RefusingFinder() }
        let error = #expect(throws: LinkError.self) {
            try table.install([.route("a") { _ in 1 }, .action("b", "c") { _ in 2 }])
        }
        #expect(error?.reason == .conflict("taken"))
        #expect(routes.allRoutes().isEmpty)
        try table.install([.route("a") { _ in 1 }])
        #expect(routes.canRoute("a"))
    }

    @Test("If any route is invalid or conflicts with another, none of the links is installed")
    func atomicLinks() throws {
        try routes.addRoute("b/c") { _ in .success(1) }
        let error = #expect(throws: RouteError.self) {
            try routes.install([
                .route("a") { _ in 1 }, .route("b(/c)") { _ in 2 }, .route("d") { _ in 3 },
            ])
        }
        #expect(error?.isConflict == true)
        #expect(routes.allRoutes().map(\.name) == [.route("b/c")])
        #expect(!routes.canRoute("b"))
        let invalid = #expect(throws: RouteError.self) {
            try routes.install([.route("a") { _ in 1 }, .route("*/b") { _ in 2 }])
        }
        #expect(invalid?.position == 0)
        #expect(!routes.canRoute("a"))
        try routes.install([
            .route("a") { _ in 1 }, .route("d", from: .outside) { _ in 3 },
            .action("a", "b") { _ in 4 },
        ])
        #expect(routes.openUrl("d").value as? Int == 3)
        #expect(routes.openUrl("a").error?.reason == .localOnly)
        #expect(routes.allRoutes().map(\.name.description) == ["a", "b/c", "d"])
    }

    @Test("Calling a declared route reports the absent module unless a handler is registered for the route")
    func declarations() throws {
        try routes.declareRoutes(["pay/:type", "refund"], module: "PayType")
        try routes.addRoute("pay/:kind") { .success($0.param("kind", "")) }
        #expect(routes.routeURL("pay/card").value as? String == "card")
        #expect(routes.allRoutes().map(\.isAbsent) == [false, true])
        #expect(routes.allRoutes().map(\.callers) == [.inside, .inside])
        #expect(routes.removeRoute("pay/:kind"))
        #expect(routes.routeURL("pay/card").error?.reason == .absentModule("PayType"))
        let twice = #expect(throws: RouteError.self) {
            try routes.declareRoutes(["a", "refund"], module: "Other")
        }
        #expect(twice?.isConflict == true)
        #expect(routes.routeURL("a").error?.reason == .noMatch)
    }

    @Test("removeRoute requires the route's exact pattern")
    func removing() throws {
        try routes.addRoute("a(/:x)") { _ in .success(0) }
        #expect(!routes.removeRoute("a/:x"))
        #expect(!routes.removeRoute("a(/:z)"))
        #expect(!routes.removeRoute("a("))
        #expect(!routes.removeRoute("app:/a(/:x)"))
        #expect(routes.canRoute("a/1"))
        #expect(routes.removeRoute("/a/(/:x)"))
        #expect(!routes.canRoute("a"))
        #expect(routes.allRoutes().isEmpty)
    }

    @Test("allRoutes lists every route as it was written, sorted by pattern")
    func listing() throws {
        try routes.addRoute("b/:x<int>(/c)", from: .outside) { _ in .success(nil) }
        try routes.addRoute("/a/") { _ in .success(nil) }
        let lines = routes.allRoutes()
        #expect(lines.map(\.name.description) == ["/a/", "b/:x<int>(/c)"])
        #expect(lines.map(\.callers) == [.inside, .outside])
        #expect(lines.allSatisfy { $0.site.fileID == "RoutesTests/RegistrationTests.swift" })
    }

    @Test("The deinitialiser of an object that a removed handler held may call the registry")
    func deinitCallsBack() throws {
        final class Talkative: Sendable {
            let routes: Routes
            init(_ routes: Routes) { self.routes = routes }
            deinit { routes.removeRoute("other") }
        }
        let routes = Routes()
        do {
            let object = Talkative(routes)
            try routes.addRoute("a") { _ in .success(object.routes === routes) }
            routes.setNotFound { _, _ in .success(object.routes === routes) }
        }
        #expect(routes.routeURL("a").value as? Bool == true)
        routes.removeRoute("a")
        routes.setNotFound(nil)
        #expect(!routes.routeURL("a").isSuccess)
    }
}

extension RouteError {
    /// The offset of the error in a bad pattern.
    var position: Int? {
        if case .badPattern(let position, _) = reason { position } else { nil }
    }

    var isConflict: Bool {
        if case .conflict = reason { true } else { false }
    }
}
