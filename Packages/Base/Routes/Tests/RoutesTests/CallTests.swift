import Foundation
import Links
import Routes
import TestSupport
import Testing

@Suite("Calling routes", .waitLimit) struct CallTests {
    private let routes = Routes()

    @Test("Path parameters take precedence over passed parameters, which take precedence over the query")
    func precedence() throws {
        try routes.addRoute("ride/:id") { .success($0.values.mapValues { "\($0)" }) }
        let result = routes.routeURL("ride/1?id=2&a=2&b=2&b=3#end", parameters: ["id": 3, "a": 3, "c": 3])
        #expect(
            result.value as? [String: String]
                == ["id": "1", "a": "3", "b": "[\"2\", \"3\"]", "c": "3", "@fragment": "end"])
    }

    @Test("Every failure has its own reason, and names the route and the URL")
    func outcomes() throws {
        struct Broken: Error {}
        try routes.addRoute("ride/:id<int>") { .success(try $0.required("seat", as: Int.self)) }
        try routes.declareRoutes(["pay/:type"], module: "PayType")
        try routes.addRoute("wallet") { _ in .absentModule("Wallet") }
        try routes.addRoute("gate") { _ in .denied("log in first") }
        try routes.addRoute("broken") { _ in throw Broken() }
        let routes = routes
        try routes.addRoute("outer") { _ in routes.routeURL("gate") }

        func failure(_ url: String) -> [String?] {
            let error = routes.routeURL(url).error
            return [error.map { "\($0.reason)" }, error?.pattern, error?.url]
        }
        #expect(failure("rides/1") == ["noMatch", nil, "rides/1"])
        let typed = ParameterError(key: "id", expected: "int", found: "the text \"x\"")
        #expect(routes.routeURL("ride/x?seat=1").error?.reason == .badParameter(typed))
        #expect(routes.routeURL("ride/x?seat=1").error?.pattern == "ride/:id<int>")
        let missing = ParameterError(owner: "ride/:id<int>", key: "seat", expected: "Int", found: nil)
        #expect(routes.routeURL("ride/1").error?.reason == .badParameter(missing))
        #expect(failure("pay/card") == [#"absentModule("PayType")"#, "pay/:type", "pay/card"])
        #expect(failure("wallet") == [#"absentModule("Wallet")"#, "wallet", "wallet"])
        #expect(failure("gate") == [#"denied("log in first")"#, "gate", "gate"])
        #expect(failure("outer") == [#"denied("log in first")"#, "gate", "gate"])
        #expect(failure("broken") == ["handlerFailed", "broken", "broken"])
        #expect(routes.routeURL("broken").error?.underlying is Broken)
        #expect(routes.routeURL("ride/%0A%1B%5B2J").error?.description.contains(#""\u{A}\u{1B}[2J""#) == true)
        #expect(routes.routeURL("ride/1?seat=4").value as? Int == 4)
        #expect(try routes.routeURL("ride/1?seat=4").get() as? Int == 4)
    }

    @Test("An error names the route that differs in case alone, among few literals and among many")
    func similar() throws {
        let names = ["One", "Two", "Three", "Four", "Five", "Six"]
        for (index, name) in names.enumerated() {
            try routes.addRoute("a/\(name)") { _ in .success(nil) }
            for name in names[...index] {
                #expect(routes.routeURL("a/\(name.lowercased())").error?.similar == "a/\(name)")
            }
            #expect(routes.routeURL("a/none").error?.similar == nil)
        }
        try routes.addRoute("b/Ride/:id<int>") { _ in .success(nil) }
        #expect(routes.routeURL("b/ride/x").error?.pattern == "b/Ride/:id<int>")
    }

    @Test("A call of a handler's own that fails without a URL keeps its name")
    func nestedFailure() throws {
        let name = Link.Name.action(target: "shop", action: "none")
        try routes.addRoute("outer") { _ in throw RouteError(.actionNotFound, name: name) }
        #expect(routes.routeURL("outer").error?.name == name)
    }

    @Test("The not-found handler gets the fragment of a URL")
    func fragmentNotFound() {
        routes.setNotFound { call, _ in .success(call.parameters.values.keys.sorted()) }
        #expect(routes.routeURL("none?a=1#end").value as? [String] == ["@fragment", "a"])
    }

    @Test("A call from outside is denied for a local route, even if a remote route also matches")
    func remote() throws {
        try routes.addRoute("a/b") { _ in
            Issue.record("called from outside")
            return .success(nil)
        }
        try routes.addRoute("a/*", from: .outside) { .success($0.values.keys.sorted()) }
        let error = routes.openUrl("a/b").error
        #expect(error?.reason == .localOnly)
        #expect(error?.pattern == "a/b")
        #expect(!routes.canRoute("a/b", from: .outside))
        #expect(routes.canRoute("a/b"))
        let keys =
            routes.openUrl("a/c?@x=1&%40y=2&%40%E2%80%8Dw=4&z=3", parameters: ["@from": "mail"]).value
            as? [String]
        #expect(keys == ["*", "@from", "z"])
        let local = routes.routeURL("a/c?@x=1").value as? [String]
        #expect(local == ["*", "@x"])
    }

    @Test("A call from outside passes no control character or dot segment in a path, and no NUL in a query")
    func unsafeText() throws {
        try routes.addRoute("f/:name", from: .outside) { .success($0.values) }
        try routes.addRoute("all/*rest", from: .outside) { .success($0.values) }
        try routes.addRoute("./x/..", from: .outside) { .success($0.values) }
        try routes.addRoute(":host", from: .outside) { .success($0.values) }
        func key(_ url: String) -> String? {
            if case .badParameter(let error)? = routes.openUrl(url).error?.reason { error.key } else { nil }
        }
        for text in [
            "..", ".", "%2E%2E", ".%2e", "a%2F..", "..%2Fa", "a%2F.%2Fb", "%00", "a%0D%0Ab", "%7F", "%C2%85",
            "\u{85}", "..%2F%CC%81x", "..%2F%CC%81%D8%80%2F..",
        ] {
            #expect(key("app://f/\(text)") == "name", "\(text)")
            #expect(key("all/a/\(text)/b") == "rest", "\(text)")
            #expect(routes.routeURL("f/\(text)").isSuccess, "\(text)")
        }
        #expect(key("app://..") == "host")
        for text in ["...", "a..b", ".a", "a.", "%2F", "%C2%A0", "%E4%B9%98", "%20"] {
            #expect(routes.openUrl("app://f/\(text)").isSuccess, "\(text)")
        }
        #expect(routes.openUrl("/./x/..").isSuccess)
        #expect(key("f/a?x=1&y=%00") == "y")
        #expect(key("f/a#x%00") == "@fragment" && key("f/a#x%0A") == nil)
        let values = routes.openUrl("f/a?url=..%2F%0A&*=x").value as? [String: any Sendable]
        #expect(values?.keys.sorted() == ["name", "url"])
        #expect(
            (routes.routeURL("f/a?*=x&y=%00").value as? [String: any Sendable])?.keys.sorted() == [
                "name", "y",
            ])
        let message = routes.openUrl("app://f/%0A").error?.description
        #expect(
            message?.contains(#"parameter "name" is the text "\u{A}", expected text without control"#) == true
        )
    }

    @Test("A parameter of the type id accepts letters, digits, -, _ and ., but neither . nor ..")
    func identifiers() throws {
        try routes.addRoute("ride/:id<id>", from: .outside) { .success($0["id"] as? String) }
        for text in ["a", "Z-9_x.y", "...", "-", "01", "a.b"] {
            #expect(routes.openUrl("ride/\(text)").value as? String == text)
        }
        for text in [".", "..", "a%20b", "a%2Fb", "%C3%A9", "a%00", "%40a", "a:b", "~"] {
            let error = routes.openUrl("ride/\(text)").error
            guard case .badParameter(let parameter)? = error?.reason else {
                Issue.record("\(text): \(error as Any)")
                continue
            }
            #expect(parameter.key == "id" && error?.pattern == "ride/:id<id>")
            #expect(parameter.expected.hasPrefix("an identifier (letters, digits, "))
        }
    }

    @Test("The guard denies a call before its handler runs, and canRoute calls none of the app's functions")
    func guards() throws {
        let called = Shared<[String]>([])
        try routes.addRoute("a/:x", from: .outside) { _ in
            called.update { $0.append("handler") }
            return .success(1)
        }
        routes.setGuard { _ in "replaced by the next guard" }
        routes.setGuard { request in
            called.update { $0.append("guard \(request.link as Any) \(request.origin)") }
            return request.parameters.param("x", "") == "secret" ? "x is secret" : nil
        }
        routes.setNotFound { request, error in
            called.update { $0.append("not found \(request.url?.segments ?? []) \(error.reason)") }
            return request.origin == .outside ? .denied("no links") : .success("fallback")
        }
        #expect(routes.canRoute("a/secret"))
        #expect(!routes.canRoute("b"))
        #expect(called.value == [])
        #expect(routes.openUrl("a/secret").error?.reason == .denied("x is secret"))
        #expect(routes.routeURL("a/b").value as? Int == 1)
        #expect(routes.routeURL("b").value as? String == "fallback")
        #expect(
            called.value == [
                "guard Optional(a/:x) outside", "guard Optional(a/:x) inside", "handler",
                #"not found ["b"] noMatch"#,
            ])
        let denied = routes.openUrl("b").error
        #expect(denied?.reason == .denied("no links") && denied?.url == "b")
        routes.setNotFound(nil)
        routes.setGuard(nil)
        #expect(routes.routeURL("b").error?.reason == .noMatch)
        #expect(routes.routeURL("a/secret").isSuccess)
    }

    @Test("Async handlers require await, whether they are called from inside or outside the app")
    func asyncHandlers() async throws {
        try routes.install([
            .route("slow/:n", from: .outside) { parameters in
                await Task.yield()
                return try parameters.required("n", as: Int.self)
            },
            .route("inside") { _ in await Task.yield() },
        ])
        #expect(await routes.routeURL("slow/1").value as? Int == 1)
        #expect(await routes.openUrl("slow/2").value as? Int == 2)
        let bad = ParameterError(owner: "slow/:n", key: "n", expected: "Int", found: "the text \"x\"")
        #expect(await routes.routeURL("slow/x").error?.reason == .badParameter(bad))
        #expect(await routes.openUrl("inside").error?.reason == .localOnly)
        #expect(refusedWithoutAwait(routes, "slow/1") == .needsAwait)
    }

    @MainActor
    @Test("A main-actor route answers with a page, on the main actor without await and elsewhere with it")
    func page() async throws {
        try routes.install([
            .route("page_vc", from: .outside, on: MainActor.shared) { _ in RidePage() }
        ])
        let routes = routes
        func now() throws -> [String?] {
            [
                try routes.routeURL("page_vc", as: (any Page).self).title,
                (routes.openUrl("app://page_vc").value as? any Page)?.title,
            ]
        }
        #expect(try now() == ["Ride", "Ride"])
        let (title, refusal) = try await Task.detached {
            let page = try await routes.routeURL("page_vc", as: (any Page).self)
            return (await page.title, refusedWithoutAwait(routes, "page_vc"))
        }.value
        #expect(title == "Ride" && refusal == .needsMainActor)
    }

    @Test("A typed call returns a value of the requested type, or throws an error that names both types")
    func typed() throws {
        try routes.addRoute("limit(/:n<int>)") { .success($0.param("n", as: Int.self)) }
        #expect(try routes.routeURL("limit/7", as: Int.self) == 7)
        #expect(try routes.routeURL("limit", as: Int?.self) == nil)
        let wrong = #expect(throws: RouteError.self) { try routes.routeURL("limit/7", as: String.self) }
        #expect(wrong?.reason == .unexpectedResult(expected: "String", found: "Int"))
        #expect(wrong?.url == "limit/7")
        let none = #expect(throws: RouteError.self) { try routes.routeURL("limit", as: Int.self) }
        #expect(none?.reason == .unexpectedResult(expected: "Int", found: "nil"))
        let missing = #expect(throws: RouteError.self) { try routes.routeURL("limits", as: Int.self) }
        #expect(missing?.reason == .noMatch)
    }

    @Test("A call accepts a Foundation URL in place of a string")
    func urls() throws {
        try routes.addRoute("ride_vc", from: .outside) { .success($0.param("x", "")) }
        let name = try #require(URL(string: "ride_vc"))
        #expect(routes.routeURL(name).isSuccess && routes.canRoute(name))
        let link = try #require(URL(string: "app://ride_vc?x=a%20b"))
        #expect(routes.openUrl(link).value as? String == "a b")
        #expect(try routes.routeURL(link, as: String.self) == "a b")
    }

    @Test("Handlers and guards may call, add and remove routes")
    func reentrancy() throws {
        let routes = routes
        try routes.addRoute("outer") { _ in
            try routes.addRoute("inner") { _ in .success("inner") }
            routes.removeRoute("outer")
            return routes.routeURL("inner")
        }
        routes.setGuard { _ in routes.canRoute("outer") ? nil : nil }
        #expect(routes.routeURL("outer").value as? String == "inner")
        #expect(!routes.canRoute("outer"))
    }
}

/// Calls without `await`, which an async function could not do itself.
private func refusedWithoutAwait(_ routes: Routes, _ url: String) -> RouteError.Reason? {
    routes.routeURL(url).error?.reason
}

/// A page as a protocol, like the pages of an app.
@MainActor private protocol Page: Sendable {
    var title: String { get }
}

private struct RidePage: Page {
    let title = "Ride"
}
