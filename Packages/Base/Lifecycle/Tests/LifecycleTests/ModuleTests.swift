import ApiCenter
import Lifecycle
import Testing

@Suite("A module's routes, actions and events")
struct ModuleTests {
    private struct SilentModule: Module {
        let version = "1.0.0"
        func register(in center: ApiCenter) {}
    }

    let center = ApiCenter()
    private let cache = Cache()

    @Test("A module has no routes and no actions by default")
    func nothing() {
        let module = SilentModule()
        #expect(module.name == "Silent")
        #expect(module.routes(in: center).isEmpty && module.remoteRoutes.isEmpty)
        #expect(module.actions(in: center).isEmpty && module.remoteActions.isEmpty)
        #expect(module.asyncRoutes(in: center).isEmpty && module.asyncActions(in: center).isEmpty)
    }

    @Test("A module's asynchronous routes and actions may run on the main actor, for callers on any actor")
    func mainActor() async throws {
        @MainActor final class Page {
            var visits = 0
            func visit() -> Int {
                visits += 1
                return visits
            }
        }
        struct PageModule: Module {
            let version = "1.0.0"
            let page: Page
            func register(in center: ApiCenter) {}
            func asyncRoutes(in center: ApiCenter) -> [String: AsyncRouteHandler] {
                ["page": { @MainActor [page] _ in page.visit() }]
            }
            func asyncActions(in center: ApiCenter) -> [String: [String: AsyncActionHandler]] {
                ["page": ["visit": { @MainActor [page] _ in page.visit() }]]
            }
        }
        let module: any Module = PageModule(page: Page())
        let (route, action) = try (
            #require(module.asyncRoutes(in: center)["page"]),
            #require(module.asyncActions(in: center)["page"]?["visit"])
        )
        #expect(try await route([:]) as? Int == 1)
        #expect(try await action([:]) as? Int == 2)
    }

    @Test("An action looks up Apis when it is called, not when the table of actions is created")
    func actions() throws {
        let module: any Module = GreetingModule(cache: cache)
        let hello = try #require(module.actions(in: center)["greeting"]?["hello"])
        // No Api is registered yet, so the action throws, and its caller gets the error.
        #expect(throws: ApiError.self) { try hello([:]) }
        try module.register(in: center)
        #expect(try hello([:]) as? String == "Hello, you.")
        #expect(try hello(["name": "Li Lei"]) as? String == "Hello, Li Lei.")
    }

    @Test("A module's remote actions are among its actions, and a host passes both on unchanged")
    func remote() throws {
        let host = try ModuleHost([GreetingModule(cache: cache), SilentModule()], center: center)
        let module = try #require(host.modules.first { $0.name == "Greeting" })
        #expect(module.remoteActions == ["greeting": ["hello"]])
        for (target, actions) in module.remoteActions {
            let offered = try #require(module.actions(in: center)[target])
            #expect(actions.isSubset(of: offered.keys))
        }
    }

    @Test("A module may handle an event with the center or without it")
    func fromTheCenter() async throws {
        struct Visitor: Module {
            let version = "1.0.0"
            let journal: Journal
            func register(in center: ApiCenter) {}
            func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
                journal.note(try center.requireApi(type: GreetingApiProtocol.self).hello(to: "\(event)"))
            }
        }
        let journal = Journal()
        let host = try ModuleHost(
            [Visitor(journal: journal), GreetingModule(cache: cache)], center: center)
        let report = await host.send(.memoryWarning)
        #expect(report.failures.isEmpty)
        #expect(journal.all == ["Hello, memoryWarning."])
        #expect(await cache.isEmpty)
    }

    @Test("A host reports how the README's module handled an event")
    func events() async throws {
        let modules: [any Module] = [GreetingModule(cache: cache)]
        let host = try ModuleHost(modules, center: center)
        let launch = await host.send(.launch)
        for failure in launch.failures { print("\(failure.module): \(failure.outcome)") }
        #expect(launch.entries.map(\.outcome) == [.succeeded])
        #expect(host.absent.map(\.name) == ["Logger"])
        #expect(await !cache.isEmpty)
        await host.send(.memoryWarning)
        #expect(await cache.isEmpty)
    }
}
