import Foundation
import Offers
import Routes
import Synchronization
import Testing

@Suite("Calling routes") struct CallTests {
    private let routes = Routes()

    @Test("Path parameters take precedence over passed parameters, which take precedence over the query")
    func precedence() throws {
        try routes.addRoute("ride/:id") { .handled($0.values.mapValues { "\($0)" }) }
        let result = routes.routeURL("ride/1?id=2&a=2&b=2&b=3#end", parameters: ["id": 3, "a": 3, "c": 3])
        #expect(
            result.value as? [String: String]
                == ["id": "1", "a": "3", "b": "[\"2\", \"3\"]", "c": "3", "@fragment": "end"])
    }

    @Test("Neither a query item nor a passed parameter replaces a path parameter of the same name")
    func queryDoesNotReplacePath() throws {
        try routes.addRoute("ride/:id", from: .outside) { .handled($0.param("id", "")) }
        #expect(routes.openUrl("ride/1?id=2").value as? String == "1")
        #expect(routes.routeURL("ride/1", parameters: ["id": "2"]).value as? String == "1")
    }

    @Test("A local call may pass closures, and a handler may return nil")
    func closures() throws {
        try routes.addRoute("t") { parameters in
            (parameters["done"] as? @Sendable (Int) -> Void)?(7)
            return .handled(nil)
        }
        let seen = Mutex(0)
        let done: @Sendable (Int) -> Void = { n in seen.withLock { $0 = n } }
        let result = routes.routeURL("t", parameters: ["done": done])
        #expect(result.isHandled)
        #expect(result.value == nil)
        #expect(seen.withLock { $0 } == 7)
    }

    @Test("No match, a bad parameter, an absent module, a denied call and a failure give different results")
    func outcomes() throws {
        struct Broken: Error {}
        try routes.addRoute("ride/:id<int>") { parameters in
            .handled(try parameters.required("seat", as: Int.self))
        }
        try routes.declareRoutes(["pay/:type"], module: "PayType")
        try routes.addRoute("wallet") { _ in .absentModule("Wallet") }
        try routes.addRoute("gate") { _ in .denied("log in first") }
        try routes.addRoute("broken") { _ in throw Broken() }

        guard case .noMatch(let none) = routes.routeURL("rides/1") else { Issue.record("matched"); return }
        #expect(none.url == "rides/1")
        guard case .badParameter(let typed) = routes.routeURL("ride/x?seat=1") else {
            Issue.record("matched"); return
        }
        #expect([typed.pattern, typed.key, typed.url] == ["ride/:id<int>", "id", "ride/x?seat=1"])
        #expect([typed.found, typed.expected] == ["the text \"x\"", "int"])
        guard case .badParameter(let missing) = routes.routeURL("ride/1") else {
            Issue.record("matched"); return
        }
        #expect([missing.pattern, missing.key] == ["ride/:id<int>", "seat"])
        guard case .absentModule(let declared) = routes.routeURL("pay/card") else {
            Issue.record("found"); return
        }
        #expect([declared.pattern, declared.detail] == ["pay/:type", "PayType"])
        guard case .absentModule(let returned) = routes.routeURL("wallet") else {
            Issue.record("found"); return
        }
        #expect([returned.pattern, returned.url, returned.detail] == ["wallet", "wallet", "Wallet"])
        guard case .denied(let denied) = routes.routeURL("gate") else { Issue.record("passed"); return }
        #expect([denied.pattern, denied.detail] == ["gate", "log in first"])
        guard case .failed(let failed) = routes.routeURL("broken") else { Issue.record("worked"); return }
        #expect(failed.underlying is Broken)
        guard case .failed(let bad) = routes.routeURL("ride/%") else { Issue.record("parsed"); return }
        #expect(bad.code == .badURL)
        #expect(bad.position == 5)
        #expect(
            bad.description
                == "URL \"ride/%\", byte 5: \"%\" is not followed by two hexadecimal digits. "
                + "Guessing would produce text that nobody wrote. Write a percent sign as %25.")
        #expect(routes.routeURL("ride/%0A%1B[2J").error?.description.contains(#""\u{A}\u{1B}[2J""#) == true)
        #expect(routes.routeURL("ride/1?seat=4").value as? Int == 4)
    }

    @Test("A call from outside is denied for a local route, even if a remote route also matches")
    func remote() throws {
        try routes.addRoute("a/b") { _ in
            Issue.record("called from outside")
            return .handled(nil)
        }
        try routes.addRoute("a/*", from: .outside) { .handled($0.values.keys.sorted()) }
        guard case .denied(let error) = routes.openUrl("a/b") else { Issue.record("called"); return }
        #expect(error.code == .localOnly)
        #expect(error.pattern == "a/b")
        #expect(!routes.canRoute("a/b", from: .outside))
        #expect(routes.canRoute("a/b"))
        let keys =
            routes.openUrl("a/c?@x=1&%40y=2&%40%E2%80%8Dw=4&z=3", parameters: ["@from": "mail"]).value
            as? [String]
        #expect(keys == ["*", "@from", "z"])
        let local = routes.routeURL("a/c?@x=1").value as? [String]
        #expect(local == ["*", "@x"])
    }

    @Test("A guard denies a call before its handler runs, and canRoute calls neither guards nor handlers")
    func guards() throws {
        let called = Mutex<[String]>([])
        try routes.addRoute("a/:x", from: .outside) { _ in
            called.withLock { $0.append("handler") }
            return .handled(1)
        }
        routes.addGuard { request in
            called.withLock { $0.append("guard \(request.pattern ?? "") \(request.isRemote)") }
            return request.parameters.param("x", "") == "secret" ? "x is secret" : nil
        }
        routes.setUnmatched { request in
            called.withLock { $0.append("unmatched \(request.url)") }
            return .handled("fallback")
        }
        #expect(routes.canRoute("a/secret"))
        #expect(!routes.canRoute("b"))
        #expect(called.withLock { $0 } == [])
        guard case .denied(let error) = routes.openUrl("a/secret") else { Issue.record("passed"); return }
        #expect(error.detail == "x is secret")
        #expect(routes.routeURL("a/b").value as? Int == 1)
        #expect(routes.routeURL("b").value as? String == "fallback")
        #expect(called.withLock { $0 } == ["guard a/:x true", "guard a/:x false", "handler", "unmatched b"])
        routes.setUnmatched(nil)
        #expect(!routes.routeURL("b").isHandled)
    }

    @Test("A redirect preserves the parameters, the query and the fragment, and a remote call stays remote")
    func redirects() throws {
        try routes.addRoute("journey/:id<int>", from: .outside) { .handled($0.values.mapValues { "\($0)" }) }
        try routes.addRedirect("old/:id/:tab", to: "app://older/:id", from: .outside)
        try routes.addRedirect("app://older/:id", to: "journey/:id", from: .outside)
        let expected = ["id": "7", "tab": "a/b", "x": "1", "@fragment": "f"]
        #expect(routes.openUrl("old/7/a%2Fb?x=1&id=8&tab=9#f").value as? [String: String] == expected)
        #expect(routes.canRoute("old/7/a"))
        guard case .badParameter(let error) = routes.routeURL("old/x/a") else {
            Issue.record("matched"); return
        }
        #expect(error.key == "id")
        try routes.addRedirect("inner/:id", to: "journey/:id")
        #expect(routes.openUrl("inner/7").error?.code == .localOnly)
        #expect(routes.routeURL("inner/7").isHandled)
    }

    @Test("A redirect loop fails with an error that lists the routes in the loop")
    func redirectLoop() throws {
        try routes.addRedirect("a/:x", to: "b/:x")
        try routes.addRedirect("b/:x", to: "a/:x")
        guard case .failed(let error) = routes.routeURL("a/1") else { Issue.record("ended"); return }
        #expect(error.code == .redirectLoop)
        #expect(error.detail?.hasPrefix("a/:x -> b/:x -> a/:x") == true)
        #expect(!routes.canRoute("a/1"))
    }

    @Test("Async handlers require await, whether they are called from inside or outside the app")
    func asyncHandlers() async throws {
        try routes.addRoute("slow/:n", from: .outside) { parameters in
            await Task.yield()
            return .handled(try parameters.required("n", as: Int.self))
        }
        try routes.install([
            .route("table/:n") { parameters in
                await Task.yield()
                return parameters["n"]
            }
        ])
        #expect(await routes.routeURL("slow/1").value as? Int == 1)
        #expect(await routes.openUrl("slow/2").value as? Int == 2)
        #expect(await routes.routeURL("table/3").value as? String == "3")
        #expect(await routes.routeURL("slow/x").error?.key == "n")
        #expect(await routes.openUrl("table/3").error?.code == .localOnly)
        #expect(refusedWithoutAwait("slow/1") == .needsAwait)
    }

    private func refusedWithoutAwait(_ url: String) -> RouteError.Code? { routes.routeURL(url).error?.code }

    @MainActor @Test("A call with await from the main actor runs a synchronous handler on the main actor")
    func mainActor() async throws {
        try routes.addRoute("page") { _ in MainActor.assumeIsolated { .handled("page") } }
        #expect(await routes.routeURL("page").value as? String == "page")
    }

    @MainActor @Test("On the main actor, a main-actor route returns its page immediately")
    func page() throws {
        try install(pages: routes)
        #expect(try routes.routeURL("home_vc", as: HomeVC.self).title == "Home")
        #expect(try routes.routeURL("added_vc", as: HomeVC.self).title == "Added")
        #expect(routes.openUrl("app://home_vc").value is HomeVC)
    }

    @Test(
        "Off the main actor, main-actor routes require await; without await, they fail with needsMainActor")
    func pageElsewhere() async throws {
        try install(pages: routes)
        let page = try await routes.routeURL("home_vc", as: HomeVC.self)
        #expect(await page.title == "Home")
        #expect(await routes.routeURL("added_vc").isHandled)
        #expect(refusedWithoutAwait("home_vc") == .needsMainActor)
        #expect(refusedWithoutAwait("added_vc") == .needsMainActor)
        #expect(routes.allRoutes().map(\.kind) == [.mainHandler, .mainHandler])
    }

    private func install(pages routes: Routes) throws {
        try routes.install([
            .route("home_vc", from: .outside, on: MainActor.shared) { _ in HomeVC(title: "Home") }
        ])
        try routes.addRoute("added_vc", on: MainActor.shared) { _ in .handled(HomeVC(title: "Added")) }
    }

    @Test("A typed call returns a value of the requested type, or throws an error that names both types")
    func typed() throws {
        try routes.addRoute("limit(/:n<int>)") { .handled($0.param("n", as: Int.self)) }
        #expect(try routes.routeURL("limit/7", as: Int.self) == 7)
        #expect(try routes.routeURL("limit", as: Int?.self) == nil)
        let wrong = #expect(throws: RouteError.self) { try routes.routeURL("limit/7", as: String.self) }
        #expect(wrong?.code == .unexpectedResult)
        #expect([wrong?.found, wrong?.expected, wrong?.url] == ["Int", "String", "limit/7"])
        let none = #expect(throws: RouteError.self) { try routes.routeURL("limit", as: Int.self) }
        #expect(none?.found == "nil")
        let missing = #expect(throws: RouteError.self) { try routes.routeURL("limits", as: Int.self) }
        #expect(missing?.code == .noMatch)
    }

    @Test("A call accepts a Foundation URL in place of a string")
    func urls() throws {
        try routes.addRoute("bybus_vc", from: .outside) { .handled($0.param("x", "")) }
        let name = try #require(URL(string: "bybus_vc"))
        #expect(routes.routeURL(name).isHandled && routes.canRoute(name))
        let link = try #require(URL(string: "app://bybus_vc?x=a%20b"))
        #expect(routes.openUrl(link).value as? String == "a b")
        #expect(try routes.routeURL(link, as: String.self) == "a b")
    }

    @Test("Handlers and guards may call, add and remove routes")
    func reentrancy() throws {
        let routes = routes
        try routes.addRoute("outer") { _ in
            try routes.addRoute("inner") { _ in .handled("inner") }
            routes.removeRoute("outer")
            return routes.routeURL("inner")
        }
        routes.addGuard { _ in routes.canRoute("outer") ? nil : nil }
        #expect(routes.routeURL("outer").value as? String == "inner")
        #expect(!routes.canRoute("outer"))
    }
}

/// A page that is isolated to the main actor, like a view controller.
@MainActor private final class HomeVC {
    private(set) var title: String
    init(title: String) { self.title = title }
}
