import ApiCenter
import AppModules
import Lifecycle
import Links
import ModuleAApi
import Storage
import Testing

@testable import Demo

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Registers an Api, and then throws.
private struct FailingModule: Module, LinkAnswering {
    struct Failure: Error {}
    struct Service: ModuleAApiProtocol {
        func descriptionA() -> String { "" }
        func askOthers() -> [String?] { [] }
    }

    let version = "1.0.0"

    func register(in center: ApiCenter) throws {
        center.register(ModuleAApiProtocol.self) { Service() }
        throw Failure()
    }

    func links(in center: ApiCenter) -> [Link] { [.action("failing", "act") { _ in nil }] }
}

@Suite("The report on the modules")
struct ModulesReportTests {
    @Test(
        "A module that failed to register is listed without Apis and actions, because the app has none of them"
    )
    func failed() async throws {
        let day = try SampleDay()
        let services = AppServices(storage: .inMemory(), client: day.client, key: day.key)
        let app = try await ModularApp.launch(day.watching([FailingModule()]), on: services)
        let demo = DemoApp(
            day: day, center: app.center, host: app.host, launch: app.launchReport,
            send: { await app.send($0) }, open: { _ in (nil, nil) },
            names: ["Failing"], routes: services.routes, mediator: services.mediator,
            notifications: services.notifications, storage: services.storage)
        let module = try #require(ModulesReport(demo).modules.first)
        #expect(module.version == "1.0.0")
        #expect(module.apis.isEmpty && module.actions.isEmpty)
    }
}
#endif
