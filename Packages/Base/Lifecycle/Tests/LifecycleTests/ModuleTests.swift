import ApiCenter
import Lifecycle
import Testing

@Suite("What a module answers")
struct ModuleTests {
    private struct SilentModule: Module {
        let version = "1.0.0"
        func register(in center: ApiCenter) {}
    }

    let center = ApiCenter()
    private let cache = Cache()

    @Test("is nothing by routes or by name, unless it says so")
    func nothing() {
        let module = SilentModule()
        #expect(module.name == "Silent")
        #expect(module.routes(in: center).isEmpty && module.remoteRoutes.isEmpty)
        #expect(module.actions(in: center).isEmpty && module.remoteActions.isEmpty)
        #expect(module.asyncRoutes(in: center).isEmpty && module.asyncActions(in: center).isEmpty)
    }

    @Test("may be what the main actor alone can give, to callers on any")
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

    @Test("by name is a table that reaches the center when it is called, and not before")
    func actions() throws {
        let module: any Module = GreetingModule(cache: cache)
        let hello = try #require(module.actions(in: center)["greeting"]?["hello"])
        // Nothing is registered yet: what the action throws is the caller's.
        #expect(throws: ApiError.self) { try hello([:]) }
        try module.register(in: center)
        #expect(try hello([:]) as? String == "Hello, you.")
        #expect(try hello(["name": "Li Lei"]) as? String == "Hello, Li Lei.")
    }

    @Test("to outsiders is among what it answers at all, and a host hands both on as they are")
    func remote() throws {
        let host = try ModuleHost([GreetingModule(cache: cache), SilentModule()], center: center)
        let module = try #require(host.modules.first { $0.name == "Greeting" })
        #expect(module.remoteActions == ["greeting": ["hello"]])
        for (target, actions) in module.remoteActions {
            let offered = try #require(module.actions(in: center)[target])
            #expect(actions.isSubset(of: offered.keys))
        }
    }

    @Test("to an event may take what it needs from the center, or need none")
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

    @Test("to the README's events is reported")
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
