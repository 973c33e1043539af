import ApiCenter
import Lifecycle
import Testing

@Suite("A module's offers and events")
struct ModuleTests {
    private struct SilentModule: Module {
        let version = "1.0.0"
        func register(in center: ApiCenter) {}
    }

    let center = ApiCenter()
    private let cache = Cache()

    @Test("A module offers nothing and ignores events by default")
    func nothing() async throws {
        let module = SilentModule()
        #expect(module.name == "Silent")
        #expect(module.offers(in: center).isEmpty && module.after.isEmpty)
        try await module.handle(.launch, in: center)
    }

    @Test("An action looks up Apis when it is called, not when it is offered")
    func actions() throws {
        let module: any Module = GreetingModule(cache: cache)
        let hello = try #require(
            module.offers(in: center).first(.action(target: "greeting", action: "hello")))
        // No Api is registered yet, so the action throws, and its caller gets the error.
        #expect(throws: ApiError.self) { try hello.call() }
        try module.register(in: center)
        #expect(try hello.call() as? String == "Hello, you.")
        #expect(try hello.call(["name": "Li Lei"]) as? String == "Hello, Li Lei.")
        #expect(hello.callers == .outside)
    }

    @Test("A module may request other Apis when it handles an event")
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
