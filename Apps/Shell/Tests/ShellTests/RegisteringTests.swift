import APIService
import APITransport
import ApiCenter
import Foundation
import JourneyApi
import Launch
import Lifecycle
import PayTypeApi
import Routes
import Storage
import TestSupport
import Testing

@testable import AppModules

@Suite("Registering the app's modules")
struct RegisteringTests {
    @Test(
        "A module registers its Apis in an empty center and looks up nothing, so it can open no file and subscribe to nothing"
    )
    func alone() throws {
        #expect(Registrations.modules.count > 10)
        for module in Registrations.modules {
            let center = ApiCenter()
            let calls = Shared<[String]>([])
            center.addObserver { call in calls.update { $0.append(call.api) } }
            #expect(throws: Never.self, "\(module.name)") { try module.register(in: center) }
            #expect(calls.value == [], "\(module.name)")
            #expect(!center.allRegisteredApi().isEmpty, "\(module.name)")
        }
    }

    @Test("An app whose modules cannot be put in order registers nothing, and can be created again")
    func cycle() async throws {
        let folder = try TemporaryFolder()
        let services = AppServices(storage: try Storage(folder: folder.url), client: URLSessionAPIClient())
        let center = ApiCenter()
        let twice = Registrations.modules + Registrations.modules
        #expect(throws: LifecycleError.self) { try ModularApp(twice, on: services, center: center) }
        #expect(center.allRegisteredApi().isEmpty)
        let app = try ModularApp(on: services, center: center)
        #expect(await app.launch().registration.failures == [])
    }

    @Test("Registering reads and writes no file, and leaves the network alone; preparing does both")
    func nothingElse() async throws {
        let folder = try TemporaryFolder()
        // A module that opened one of these documents would throw.
        for name in ["gate", "journeys", "operator", "phone-payment", "rides", "service", "user", "wallets"] {
            try folder.write("not JSON", to: "\(name).json")
        }
        let storage = try Storage(folder: folder.url)
        let services = AppServices(storage: storage, client: URLSessionAPIClient())
        let center = ApiCenter()
        services.register(in: center)
        let before = try folder.names
        let host = try ModuleHost(Registrations.modules, center: center)
        #expect(host.registration.failures == [])
        #expect(try folder.names == before)
        #expect(services.network.config.settings.accessories.isEmpty)
        for name in before where name.hasSuffix(".json") {
            try FileManager.default.removeItem(at: folder.file(name))
        }
        #expect(await host.prepare().failures == [])
        #expect(!services.network.config.settings.accessories.isEmpty)
    }

    @Test("A module whose file cannot be read is left out: its Api is gone before the links are installed")
    func leftOut() async throws {
        let folder = try TemporaryFolder()
        try folder.write("not JSON", to: "journeys.json")
        let services = AppServices(
            storage: try Storage(folder: folder.url), client: URLSessionAPIClient())
        let app = try ModularApp(on: services)
        let launch = await app.launch()
        #expect(launch.preparation.failures.map { $0.module } == ["Journey"])
        #expect(launch.failureLines.count == 1)
        #expect(!app.center.isRegisteredApi(api: JourneyApiProtocol.self))
        #expect(app.center.isRegisteredApi(api: PayTypeApiProtocol.self))
        let result = await services.routes.routeURL(JourneyRoute.main)
        let error = try #require(result.error)
        #expect(error.reason == .absentModule("Journey"))
        #expect(try folder.text("journeys.json") == "not JSON")
    }

    @Test("An app of the sample's modules takes observers and limits of its own")
    func observed() async throws {
        let heard = Shared<[String]>([])
        let services = AppServices(
            storage: try Storage(folder: TemporaryFolder().url), client: URLSessionAPIClient())
        let app = try ModularApp(
            on: services, timeLimit: .seconds(3600), eventLimit: .zero,
            observers: [
                { phase, module in
                    heard.update { $0.append("\(module) \(phase)") }
                    return { _ in }
                }
            ])
        let report = await app.launch()
        #expect(heard.value.contains("Journey prepare") && !heard.value.contains("Journey launch"))
        #expect(report.launch.entries.allSatisfy { $0.outcome == .skipped })
    }

    @Test("Every module of this app can be built")
    func everyModule() async throws {
        let folder = try TemporaryFolder()
        let services = AppServices(
            storage: try Storage(folder: folder.url), client: URLSessionAPIClient())
        // A launch would leave a module out that cannot be built.
        for error in try await ModularApp(on: services).center.buildAll() { Issue.record(error) }
    }

    @Test("Without the app's services, no caller gets a service that does not work")
    func incomplete() async throws {
        let center = ApiCenter()
        let host = try ModuleHost(Registrations.modules, center: center)
        #expect(center.api(type: JourneyApiProtocol.self) == nil)
        #expect(throws: ApiError.self) { try center.requireApi(type: PayTypeApiProtocol.self) }
        let working = await host.prepare().entries.filter { $0.outcome == .succeeded }.map(\.module)
        #expect(working.sorted() == ["ModuleA", "ModuleB", "ModuleC", "WebContainer"])
    }
}
