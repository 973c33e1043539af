import Links
import Mediator
import Routes
import TestSupport
import Testing

@Suite("Routes and a mediator on one table") struct OneTableTests {
    private let table = LinkTable()
    private let routes: Routes
    private let mediator: Mediator

    init() throws {
        (routes, mediator) = (Routes(on: table), Mediator(on: table))
        try table.install([
            .route("shop/open", from: .outside) { _ in "route" },
            .route("page/:id<id>", from: .outside) { $0["id"] as? String },
            .action("shop", "open", from: .outside) { _ in "action" },
            .action("shop", "pay", from: .outside) { _ in "paid" },
        ])
    }

    @Test(
        "An opened URL calls a matching route, and otherwise an action; an action is never a pattern of a URL"
    )
    func opened() throws {
        #expect(try table.open("app://shop/open") as? String == "route")
        #expect(try table.open("app://shop/pay") as? String == "paid")
        #expect(try mediator.performTarget("shop", action: "open") as? String == "action")
        #expect(try mediator.openUrl("app://shop/open") as? String == "action")
        #expect(routes.routeURL("shop/pay").error?.reason == .noMatch)
        #expect(throws: LinkError.self) { try mediator.performTarget("page", action: "7") }
    }

    @Test("An opened URL that is neither a route nor names an action fails with noMatch")
    func neither() {
        #expect(refusal { try table.open("none") }?.reason == .noMatch)
        #expect(refusal { try mediator.openUrl("//shop/pay") }?.reason == .notTargetAction)
    }

    @Test(
        "An action answers a URL whose text a route's parameter rejects; without an action, the parameter is the error"
    )
    func rejected() throws {
        try table.install([.route("shop/:id<int>", from: .outside) { $0["id"] as? Int }])
        #expect(try table.open("app://shop/7") as? Int == 7)
        #expect(try table.open("app://shop/pay") as? String == "paid")
        for url in ["app://shop/none", "app://shop/PAY", "/shop/pay"] {
            let error = refusal { try table.open(url) }
            guard case .badParameter(let parameter)? = error?.reason else {
                Issue.record("\(url): \(error as Any)")
                continue
            }
            #expect(parameter.key == "id" && error?.pattern == "shop/:id<int>")
        }
    }

    @Test("The guard, the not-found handler and the observers of either are those of the table")
    func hooks() throws {
        let heard = Shared<[String]>([])
        table.addObserver { call in
            heard.update { $0.append("\(call.requested) \(call.origin)") }
            return { _ in }
        }
        routes.setGuard { call in call.link == .action(target: "shop", action: "pay") ? "closed" : nil }
        mediator.setNotFound { _, error in "\(error.reason)" }
        #expect(refusal { try mediator.performTarget("shop", action: "pay") }?.reason == .denied("closed"))
        #expect(routes.routeURL("shop/open").isSuccess)
        #expect(routes.openUrl("app://none").value as? String == "noMatch")
        mediator.setGuard(nil)
        #expect(try table.open("app://shop/pay") as? String == "paid")
        #expect(
            heard.value == [
                "shop/pay inside", "shop/open inside", "app://none outside", "app://shop/pay outside",
            ])
        struct Broken: Error {}
        table.setNotFound { _, _ in throw Broken() }
        let error = routes.routeURL("none").error
        #expect(error?.reason == .handlerFailed && error?.underlying is Broken)
    }

    @Test("A module's links are installed in both, or in neither")
    func atomic() throws {
        #expect(throws: LinkError.self) {
            try table.install([.route("new") { _ in 1 }, .action("SHOP", "new") { _ in 1 }])
        }
        #expect(throws: LinkError.self) {
            try table.install([.action("new", "a") { _ in 1 }, .route("page/:name<id>") { _ in 1 }])
        }
        #expect(!routes.canRoute("new") && routes.allRoutes().count == 2)
        #expect(mediator.allActions().map(\.name.description) == ["shop/open", "shop/pay"])
    }

    @Test("Two registries of routes on one table are one, and a registry of its own knows no other")
    func shared() throws {
        #expect(Routes(on: table).canRoute("page/7"))
        #expect(!Routes().canRoute("page/7"))
        #expect(Mediator().allActions() == [])
    }

    @Test("A table and its finders are released with the last of them")
    func release() {
        weak var released: LinkTable?
        do {
            let table = LinkTable()
            released = table
            _ = (Routes(on: table), Mediator(on: table))
        }
        #expect(released == nil)
    }
}
