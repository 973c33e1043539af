import ApiCenter
import Mediator
import ModuleAApi
import Routes
import Testing

/// A caller: it knows the Api and nothing of how its IMP works.
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
        (try? mediator.performTarget("greeter", action: "greet", returning: String.self)) ?? "no target"
    }
    func askOthers() -> [String?] { [] }
}

@Suite("Behind an Api")
struct ThreeWaysTests {
    @Test("an IMP's method may work directly, by Routes or by Mediator, and its caller is the same")
    func threeWays() throws {
        let routes = Routes(), mediator = Mediator()
        try routes.install(["greet": { _ in "hello" }])
        try mediator.install(actions: ["greeter": ["greet": { _ in "hello" }]])

        let center = ApiCenter()
        center.registerApi(type: ModuleAApiProtocol.self) { Direct() }
        #expect(greeting(from: center) == "hello")
        center.replaceApi(type: ModuleAApiProtocol.self) { ByRoutes(routes: routes) }
        #expect(greeting(from: center) == "hello")
        center.replaceApi(type: ModuleAApiProtocol.self) { ByMediator(mediator: mediator) }
        #expect(greeting(from: center) == "hello")
    }
}
