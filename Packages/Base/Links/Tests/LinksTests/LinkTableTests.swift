import Links
import TestSupport
import Testing

@Suite("A table of links", .waitLimit) struct LinkTableTests {
    private let table = LinkTable()
    private let heard = Shared<[String]>([])
    private let routes: NameFinder
    private let actions: NameFinder

    init() throws {
        // The order in which finders are made does not matter: routes come first.
        actions = table.finder { NameFinder(.action) }
        routes = table.finder { NameFinder(.route) }
        let heard = heard
        try table.install([
            .route("both/here", from: .outside) { _ in "route" },
            .route("inner") { _ in "inner" },
            .route("failing", from: .outside) { _ in throw Broken() },
            .action("both", "here", from: .outside) { _ in "action" },
            .action("shop", "open", from: .outside) { parameters in
                heard.update { $0.append("handler") }
                return parameters.values.keys.sorted()
            },
            .action("shop", "break", from: .outside) { _ in throw Broken() },
            .action("shop", "count", from: .outside) { try $0.required("number", as: Int.self) },
            .action("shop", "later", from: .outside) { _ in
                await Task.yield()
                return "later"
            },
        ])
    }

    private func reason(_ url: String) -> LinkError.Reason? {
        do {
            _ = try table.open(url)
            return nil
        } catch { return (error as? LinkError)?.reason }
    }

    @Test("An opened URL calls the route that matches it, and otherwise the action that it names")
    func order() async throws {
        #expect(try await table.open("app://both/here") as? String == "route")
        let keys =
            try await table.open("app://shop/open?x=1&@y=2&*=3", options: ["from": "mail"]) as? [String]
        #expect(keys == ["@options", "@url", "x"])
        #expect(try await table.open("app://shop/later") as? String == "later")
        #expect(reason("app://inner") == .localOnly)
    }

    @Test("A URL from outside may not pass NUL")
    func nul() throws {
        guard case .badParameter(let error) = reason("app://both/here?x=a%00") else {
            Issue.record("no badParameter")
            return
        }
        #expect(error.key == "x" && error.expected == "text without NUL")
        #expect(reason("app://both/here?x=a%20") == nil)
    }

    @Test("The entry of a link says whether the link is only declared for an absent module")
    func listing() {
        let links = [Link.route("here") { _ in nil }, .route("there", ofAbsent: "There")]
        #expect(links.map { LinkListing($0).isAbsent } == [false, true])
    }

    @Test("An opened URL that finds nothing fails with the error that names the right case, or with noMatch")
    func better() throws {
        #expect(reason("app://none") == .noMatch)
        #expect(reason("app://shop/Open") == .actionNotFound)
        #expect(reason("app://Inner/x") == .noMatch)
        if case .badURL(let error) = reason("a%") {
            #expect(error.position == 1)
        } else {
            Issue.record("no badURL")
        }
        #expect(LinkTable().hasNothing(at: "app://none"))
    }

    @Test(
        "Of the errors of several finders, one about a parameter takes precedence over a name that differs in case alone"
    )
    func rejected() throws {
        final class Rejecting: LinkFinder {
            let kind = Link.Kind.action
            func add(_ links: [Link], with others: () throws(LinkError) -> Void) throws(LinkError) {}
            func find(_ call: LinkCall) throws(LinkError) -> FoundLink {
                throw LinkError(.badParameter(ParameterError(key: "x", expected: "Int", found: nil)))
            }
        }
        let table = LinkTable()
        _ = (table.finder { NameFinder(.route) }, table.finder { Rejecting() })
        try table.install([.route("Inner", from: .outside) { _ in nil }])
        let error = #expect(throws: LinkError.self) { try table.open("app://inner") }
        guard case .badParameter = error?.reason else {
            Issue.record("no badParameter: \(error as Any)")
            return
        }
    }

    @Test("A route's error becomes handlerFailed, and an action's own error reaches the caller unchanged")
    func errors() {
        let error = #expect(throws: LinkError.self) { try table.open("app://failing") }
        #expect(error?.reason == .handlerFailed && error?.underlying is Broken)
        #expect(error?.pattern == "failing" && error?.url == "app://failing")
        #expect(throws: Broken()) { try table.open("app://shop/break") }
    }

    @Test("An error of an action's parameters names the action, and no URL, however the action was called")
    func parameters() throws {
        func expect(_ name: Link.Name, _ call: () throws -> Void) {
            let error = #expect(throws: LinkError.self) { try call() }
            guard case .badParameter = error?.reason else {
                Issue.record("no badParameter: \(error as Any)")
                return
            }
            #expect(error?.name == name && error?.url == nil)
        }
        func call(_ action: String) throws {
            let call = LinkCall(
                target: "shop", action: action, parameters: [:], fileID: #fileID, line: #line)
            _ = try table.call(call) { (call) throws(LinkError) in try actions.find(call) }
        }
        expect(.action(target: "shop", action: "count")) { try table.open("app://shop/count") }
        expect(.action(target: "shop", action: "count")) { try call("count") }
        table.setNotFound { call, _ in try call.parameters.required("number", as: Int.self) }
        expect(.action(target: "shop", action: "none")) { try call("none") }
        table.setNotFound { _, _ in throw LinkError.denied("closed") }
        let error = #expect(throws: LinkError.self) { try call("none") }
        #expect(error?.reason == .denied("closed") && error?.name == .action(target: "shop", action: "none"))
    }

    @Test("Links are installed in one step: an error in a link of one kind keeps those of the other kind out")
    func atomic() {
        let first = (routes.names, actions.names)
        for links: [Link] in [
            [.route("new") { _ in 1 }, .action("shop", "open") { _ in 1 }],
            [.action("new", "one") { _ in 1 }, .route("inner") { _ in 1 }],
        ] {
            let error = #expect(throws: LinkError.self) { try table.install(links) }
            if case .conflict = error?.reason {} else { Issue.record("\(error as Any)") }
        }
        #expect((routes.names, actions.names) == first)
    }

    @Test("Installing links of a kind that the table cannot find is an error, which installs nothing")
    func noFinder() throws {
        let table = LinkTable()
        let routes = table.finder { NameFinder(.route) }
        let error = #expect(throws: LinkError.self) {
            try table.install([.route("a") { _ in 1 }, .action("b", "c") { _ in 1 }])
        }
        #expect(error?.reason == .noFinder && error?.target == "b")
        #expect(routes.names == [])
        #expect(table.finder { NameFinder(.route) } === routes)
    }

    @Test("All observers hear of a call once, with its origin, before its handler runs and when it has ended")
    func observers() throws {
        let heard = heard
        func observer(_ name: String) -> LinkObserver {
            { call in
                heard.update {
                    $0.append(
                        "\(name) \(call.requested) \(call.link as Any) \(call.module ?? "-") \(call.origin)")
                }
                return { error in heard.update { $0.append("\(name) \(error.map { "\($0)" } ?? "end")") } }
            }
        }
        let first = table.addObserver(observer("1"))
        table.addObserver(observer("2"))
        _ = try table.open("app://shop/open")
        let start = ["1", "2"].map { "\($0) app://shop/open Optional(shop/open) LinksTests outside" }
        #expect(heard.value == start + ["handler", "1 end", "2 end"])
        table.removeObserver(first)
        heard.update { $0 = [] }
        #expect(throws: Broken()) { try table.open("app://shop/break") }
        #expect(reason("app://none") == .noMatch)
        #expect(
            heard.value.map { String($0.prefix(44)) } == [
                "2 app://shop/break Optional(shop/break) Link", "2 Broken()",
                "2 app://none nil - outside", "2 URL \"app://none\": no route matches the URL",
            ])
    }

    @Test(
        "The guard hears every call after its link is found, and the not-found handler every call without a link"
    )
    func hooks() throws {
        let heard = heard
        table.setGuard { call in
            heard.update {
                $0.append("guard \(call.link as Any) \(call.origin) \(call.parameters.values.count)")
            }
            return call.parameters["x"] == nil ? "no x" : nil
        }
        table.setNotFound { call, error in
            heard.update { $0.append("none \(call.requested) \(error.similar as Any)") }
            return call.requested == "app://none"
                ? "fallback" : try call.parameters.required("y", as: Int.self)
        }
        #expect(try table.open("app://shop/open?x=1") as? [String] == ["@url", "x"])
        #expect(reason("app://shop/open") == .denied("no x"))
        #expect(reason("app://inner?x=1") == .localOnly)
        #expect(try table.open("app://none") as? String == "fallback")
        let missing = ParameterError(key: "y", expected: "Int", found: nil)
        #expect(reason("app://SHOP/Open") == .badParameter(missing))
        table.setGuard(nil)
        table.setNotFound(nil)
        #expect(try table.open("app://shop/open") as? [String] == ["@url"])
        #expect(reason("app://none") == .noMatch)
        #expect(
            heard.value == [
                "guard Optional(shop/open) outside 2", "handler", "guard Optional(shop/open) outside 1",
                "none app://none nil", "none app://SHOP/Open Optional(\"shop/open\")", "handler",
            ])
    }

    @Test("The deinitialiser of an object that a replaced function held may call the table")
    func deinitCallsBack() {
        final class Talkative: Sendable {
            let table: LinkTable
            init(_ table: LinkTable) { self.table = table }
            deinit { table.setNotFound(nil) }
        }
        let table = LinkTable()
        do {
            let object = Talkative(table)
            table.setGuard { _ in object.table === table ? nil : "" }
        }
        table.setGuard(nil)
        #expect(table.hasNothing(at: "app://none"))
    }
}

private struct Broken: Error, Equatable {}

extension LinkTable {
    /// Whether a URL leads to no link.
    fileprivate func hasNothing(at url: String) -> Bool {
        do {
            _ = try open(url)
            return false
        } catch { return (error as? LinkError)?.reason == .noMatch }
    }
}
