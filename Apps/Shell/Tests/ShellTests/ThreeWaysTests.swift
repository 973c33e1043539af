import ApiCenter
import Mediator
import ModuleAApi
import Routes
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// A caller that depends only on the Api.
private func greeting(from center: ApiCenter) -> String? {
    center.api(type: ModuleAApiProtocol.self)?.descriptionA()
}

private struct Direct: ModuleAApiProtocol {
    func descriptionA() -> String { "hello" }
    func askOthers() -> [String?] { [] }
}

private struct ByRoutes: ModuleAApiProtocol {
    let routes: Routes
    func descriptionA() -> String { routes.routeURL("greet").value as? String ?? "no route" }
    func askOthers() -> [String?] { [] }
}

private struct ByMediator: ModuleAApiProtocol {
    let mediator: Mediator
    func descriptionA() -> String {
        (try? mediator.performTarget("greeter", action: "greet", as: String.self)) ?? "no target"
    }
    func askOthers() -> [String?] { [] }
}

@Suite("Ways to implement an Api")
struct ThreeWaysTests {
    @Test("An IMP can respond directly, through Routes or through Mediator, without changes to its callers")
    func threeWays() throws {
        let routes = Routes(), mediator = Mediator()
        try routes.install([.route("greet") { _ in "hello" }])
        try mediator.install([.action("greeter", "greet") { _ in "hello" }])

        let center = ApiCenter()
        center.register(ModuleAApiProtocol.self) { Direct() }
        #expect(greeting(from: center) == "hello")
        center.replaceApi(type: ModuleAApiProtocol.self) { ByRoutes(routes: routes) }
        #expect(greeting(from: center) == "hello")
        center.replaceApi(type: ModuleAApiProtocol.self) { ByMediator(mediator: mediator) }
        #expect(greeting(from: center) == "hello")
    }
}
#endif
