import Links
import Routes
import TestSupport
import Testing

@Suite("Observing calls of routes", .waitLimit) struct ObserverTests {
    private let routes = Routes()
    private let heard = Shared<[String]>([])
    private let observation: LinkObservation

    init() throws {
        let heard = heard
        try routes.install([
            .route("a/:x", from: .outside) { _ in heard.update { $0.append("handler") } },
            .route("slow") { _ in
                await Task.yield()
                heard.update { $0.append("handler") }
                return 2
            },
        ])
        try routes.declareRoutes(["pay_vc"], module: "PayType")
        observation = routes.table.addObserver { call in
            #expect(call.caller.fileID == "RoutesTests/ObserverTests.swift")
            let line = "\(call.requested) \(call.link as Any) \(call.module ?? "-") \(call.origin)"
            heard.update { $0.append(line) }
            return { error in heard.update { $0.append(error.map { "failed \($0 is RouteError)" } ?? "end") }
            }
        }
    }

    @Test("The observer hears who calls which route, before the handler runs and when it has ended")
    func success() async {
        #expect(routes.canRoute("a/1"))
        await routes.openUrl("app://a/1")
        await routes.routeURL("slow")
        routes.table.removeObserver(observation)
        await routes.routeURL("slow")
        #expect(
            heard.value == [
                "app://a/1 Optional(a/:x) RoutesTests outside", "handler", "end",
                "slow Optional(slow) RoutesTests inside", "handler", "end", "handler",
            ])
    }

    @Test("The observer hears of calls that are refused or find nothing, with the error that the caller gets")
    func failures() throws {
        routes.setGuard { _ in "closed" }
        for url in ["a/1", "pay_vc", "none", "%"] { #expect(!routes.routeURL(url).isSuccess) }
        #expect(throws: RouteError.self) { try routes.routeURL("slow", as: Int.self) }
        #expect(
            heard.value == [
                "a/1 Optional(a/:x) RoutesTests inside", "failed true",
                "pay_vc Optional(pay_vc) PayType inside", "failed true", "none nil - inside", "failed true",
                "% nil - inside", "failed true", "slow Optional(slow) RoutesTests inside", "failed true",
            ])
    }
}
