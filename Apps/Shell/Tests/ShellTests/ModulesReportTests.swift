import ApiCenter
import AppModules
import Launch
import Lifecycle
import Links
import ModuleAApi
import ModuleAApiFakes
import Storage
import Testing

@testable import Demo

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Registers an Api, and then throws.
private struct FailingModule: Module, LinkAnswering {
    struct Failure: Error {}

    let version = "1.0.0"

    let failsToPrepare: Bool

    func register(in center: ApiCenter) throws {
        center.register(ModuleAApiProtocol.self) { FakeModuleA() }
        if !failsToPrepare { throw Failure() }
    }

    func prepare(in center: ApiCenter) throws { throw Failure() }

    func links(in center: ApiCenter) -> [Link] { [.action("failing", "act") { _ in nil }] }
}

@Suite("The report on the modules")
struct ModulesReportTests {
    @Test(
        "A module that failed to register or to prepare is listed without Apis and actions",
        arguments: [false, true])
    func failed(toPrepare: Bool) async throws {
        let day = try SampleDay()
        let services = AppServices(storage: .inMemory(), client: day.client, key: day.key).untimed
        let module = FailingModule(failsToPrepare: toPrepare)
        let app = try ModularApp(day.watching([module]), on: services)
        let demo = DemoApp(
            day: day, app: app, launch: await app.launch(), names: ["Failing"], routes: services.routes,
            mediator: services.mediator, notifications: services.notifications, storage: services.storage)
        let report = try #require(ModulesReport(demo).modules.first)
        #expect(report.version == "1.0.0")
        #expect(report.apis.isEmpty && report.actions.isEmpty)
    }
}
#endif
