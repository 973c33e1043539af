import ApiCenter
import Mediator
import Routes
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
private protocol GreetingApiProtocol: Sendable {
    func greet() -> String
}

/// A caller that depends only on the Api.
private func greeting(from center: ApiCenter) -> String? {
    center.api(type: GreetingApiProtocol.self)?.greet()
}

private struct Direct: GreetingApiProtocol {
    func greet() -> String { "hello" }
}

private struct ByRoutes: GreetingApiProtocol {
    let routes: Routes
    func greet() -> String { routes.routeURL("greet").value as? String ?? "no route" }
}

private struct ByMediator: GreetingApiProtocol {
    let mediator: Mediator
    func greet() -> String {
        (try? mediator.performTarget("greeter", action: "greet", as: String.self)) ?? "no target"
    }
}

@Suite("Ways to implement an Api")
struct ThreeWaysTests {
    @Test("An IMP can respond directly, through Routes or through Mediator, without changes to its callers")
    func threeWays() throws {
        let routes = Routes(), mediator = Mediator()
        try routes.install([.route("greet") { _ in "hello" }])
        try mediator.install([.action("greeter", "greet") { _ in "hello" }])

        let center = ApiCenter()
        center.register(GreetingApiProtocol.self) { Direct() }
        #expect(greeting(from: center) == "hello")
        center.replaceApi(type: GreetingApiProtocol.self) { ByRoutes(routes: routes) }
        #expect(greeting(from: center) == "hello")
        center.replaceApi(type: GreetingApiProtocol.self) { ByMediator(mediator: mediator) }
        #expect(greeting(from: center) == "hello")
    }
}
#endif
