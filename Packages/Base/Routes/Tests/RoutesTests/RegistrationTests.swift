import Offers
import Routes
import Testing

@Suite("Registering routes") struct RegistrationTests {
    private let routes = Routes()

    private func refusal(_ add: () throws(RouteError) -> Void) -> RouteError? {
        do throws(RouteError) {
            try add()
            return nil
        } catch {
            return error
        }
    }

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
            ("app:a", 3),
        ])
    func badPatterns(text: String, position: Int) {
        let error = refusal { () throws(RouteError) in try routes.addRoute(text) { _ in .handled(nil) } }
        #expect(error?.code == .badPattern)
        #expect(error?.position == position, "\(error as Any)")
        #expect(routes.allRoutes().isEmpty)
    }

    @Test("A pattern may have 64 segments but not 65")
    func depth() throws {
        let deep = String(repeating: "a/", count: 64)
        try routes.addRoute(deep) { _ in .handled(64) }
        #expect(routes.routeURL(deep).value as? Int == 64)
        #expect(
            refusal { () throws(RouteError) in try routes.addRoute(deep + "a") { _ in .handled(nil) } }?
                .position == 128)
    }

    @Test(
        "Two patterns with the same shape and priority conflict, whatever the names of their parameters",
        arguments: [
            ("a/:x", "a/:y"), ("a/*", "a/*rest"), ("app://a/b", "app:/a/b"), ("a(/b)", "a"), ("a(/b)", "a/b"),
            ("é", "e\u{301}"), ("%61", "/a/"), (":x<int>", ":y<int>"),
        ])
    func conflicts(first: String, second: String) throws {
        try routes.addRoute(first) { _ in .handled(1) }
        let error = refusal { () throws(RouteError) in try routes.addRoute(second) { _ in .handled(2) } }
        #expect(error?.code == .conflict)
        #expect(error?.detail?.ranges(of: "RegistrationTests.swift:").count == 2)
        #expect(routes.allRoutes().count == 1)
        try routes.addRoute(second, priority: 1) { _ in .handled(2) }
        #expect(routes.allRoutes().count == 2)
    }

    @Test("If any offered route is invalid or conflicts with another, none of the offers is installed")
    func atomicOffers() throws {
        try routes.addRoute("b/c") { _ in .handled(1) }
        let error = refusal { () throws(RouteError) in
            try routes.install([
                .route("a") { _ in 1 }, .route("b(/c)") { _ in 2 }, .route("d") { _ in 3 },
            ])
        }
        #expect(error?.code == .conflict)
        #expect(error?.detail?.ranges(of: "RegistrationTests.swift:").count == 2)
        #expect(routes.allRoutes().map(\.pattern) == ["b/c"])
        #expect(!routes.canRoute("b"))
        let invalid = refusal { () throws(RouteError) in
            try routes.install([.route("a") { _ in 1 }, .route("*/b") { _ in 2 }])
        }
        #expect(invalid?.code == .badPattern)
        #expect(!routes.canRoute("a"))
        try routes.install([
            .route("a", priority: 2) { _ in 1 }, .route("d", from: .outside) { _ in 3 },
            .action("a", "b") { _ in 4 },
        ])
        #expect(routes.openUrl("d").value as? Int == 3)
        #expect(routes.openUrl("a").error?.code == .localOnly)
        #expect(routes.allRoutes().map(\.priority) == [2, 0, 0])
    }

    @Test("A redirect's pattern must have all parameters that its target needs")
    func redirectParameters() throws {
        try routes.addRoute("new/:id") { .handled($0.param("id", "")) }
        let missing = refusal { () throws(RouteError) in try routes.addRedirect("old", to: "new/:id") }
        #expect(missing?.key == "id")
        #expect(
            missing?.description.contains("the parameter \"id\" is not in every URL of this pattern. The")
                == true)
        let sometimes = refusal { () throws(RouteError) in try routes.addRedirect("old(/:id)", to: "new/:id")
        }
        #expect(sometimes?.key == "id")
        try routes.addRedirect("old/:id(/:x)", to: "new/:id(/:x)")
        #expect(routes.routeURL("old/5").value as? String == "5")
    }

    @Test("Calling a declared route reports the absent module unless a handler is registered for the route")
    func declarations() throws {
        try routes.declareRoutes(["pay/:type", "refund"], module: "PayType")
        try routes.addRoute("pay/:kind") { .handled($0.param("kind", "")) }
        #expect(routes.routeURL("pay/card").value as? String == "card")
        #expect(routes.allRoutes().map(\.kind) == [.handler, .absentModule("PayType")])
        #expect(routes.removeRoute("pay/:kind"))
        #expect(routes.routeURL("pay/card").error?.detail == "PayType")
        let twice = refusal { () throws(RouteError) in
            try routes.declareRoutes(["a", "refund"], module: "Other")
        }
        #expect(twice?.code == .conflict)
        #expect(routes.routeURL("a").error?.code == .noMatch)
    }

    @Test("removeRoute requires the route's exact pattern and priority")
    func removing() throws {
        try routes.addRoute("a(/:x)") { _ in .handled(0) }
        try routes.addRoute("a/:y", priority: 1) { _ in .handled(1) }
        #expect(routes.routeURL("a/1").value as? Int == 1)
        #expect(!routes.removeRoute("a/:x"))
        #expect(!routes.removeRoute("a(/:z)"))
        #expect(!routes.removeRoute("a(/:x)", priority: 1))
        #expect(!routes.removeRoute("a("))
        #expect(routes.removeRoute("/a/(/:x)"))
        #expect(!routes.canRoute("a"))
        #expect(routes.routeURL("a/1").value as? Int == 1)
        #expect(routes.removeRoute("a/:y", priority: 1))
        #expect(routes.allRoutes().isEmpty)
    }

    @Test("allRoutes lists every route, sorted by pattern and priority")
    func listing() throws {
        try routes.addRoute("b/:x<int>(/c)", from: .outside) { _ in .handled(nil) }
        try routes.addRoute("a", priority: 2) { _ in
            await Task.yield()
            return .handled(nil)
        }
        try routes.addRedirect("a", to: "app://x/y")
        let lines = routes.allRoutes()
        #expect(lines.map(\.pattern) == ["a", "a", "b/:x<int>(/c)"])
        #expect(lines.map(\.priority) == [2, 0, 0])
        #expect(lines.map(\.kind) == [.asyncHandler, .redirect(to: "app://x/y"), .handler])
        #expect(lines.map(\.isRemote) == [false, false, true])
        #expect(lines.allSatisfy { $0.site.contains("RegistrationTests.swift:") })
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
            try routes.addRoute("a") { _ in .handled(object.routes === routes) }
            routes.setUnmatched { _ in .handled(object.routes === routes) }
        }
        #expect(routes.routeURL("a").value as? Bool == true)
        routes.removeRoute("a")
        routes.setUnmatched(nil)
        #expect(!routes.routeURL("a").isHandled)
    }
}
