import ApiCenter
import Lifecycle
import TestSupport
import Testing

@Suite("A module's preparation and events", .waitLimit)
struct ModuleTests {
    private struct SilentModule: Module {
        let version = "1.0.0"
        func register(in center: ApiCenter) {}
    }

    let center = ApiCenter()
    private let cache = Cache()

    @Test("A module prepares nothing and ignores events by default")
    func nothing() async throws {
        let module = SilentModule()
        #expect(module.name == "Silent")
        #expect(module.after.isEmpty)
        try await module.prepare(in: center)
        try await module.handle(.launch, in: center)
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
        let launch = await host.post(.launch).report
        for failure in launch.failures { print("\(failure.module): \(failure.outcome)") }
        #expect(launch.entries.map(\.outcome) == [.succeeded])
        #expect(host.absent.map(\.name) == ["Logger"])
        #expect(await cache.isOpen)
        #expect(await !cache.isEmpty)
        await host.send(.memoryWarning)
        #expect(await cache.isEmpty)
    }
}
