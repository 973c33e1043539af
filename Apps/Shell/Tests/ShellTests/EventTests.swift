import ApiCenter
import AppModules
import Demo
import Foundation
import Launch
import Lifecycle
import Storage
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Sends `.active` while it handles `.background`.
private struct ReturningModule: Module {
    let version = "1.0.0"
    let app = Shared<ModularApp?>(nil)

    func register(in center: ApiCenter) {}

    func handle(_ event: LifecycleEvent, in center: ApiCenter) async throws {
        if event == .background { await app.value?.send(.active) }
    }
}

@Suite("The app's events", .timeLimit(.minutes(10)))
struct AppEventTests {
    @Test("A background app lets another process change the app's data, and later reads the changes")
    func background() async throws {
        let folder = try TemporaryFolder()
        let storage = try Storage(folder: folder.url)
        let app = try ModularApp([], on: AppServices(storage: storage, client: SampleDay().client).untimed)
        let count = try storage.document("count", default: 0)

        #expect(await app.send(.background).failureLines == [])
        var other: Storage? = try Storage(folder: folder.url)
        try other?.document("count", default: 0).update { $0 = 7 }
        let failures = await app.send(.active).failureLines
        #expect(failures.count == 1 && failures[0].contains("is using this folder"))
        other = nil

        #expect(await app.send(.active).failureLines == [])
        #expect(count.value == 7)
        #expect(throws: StorageError.self) { try Storage(folder: folder.url) }
    }

    @Test("An app that becomes active while a module handles the background event keeps its storage")
    func activeAgain() async throws {
        let folder = try TemporaryFolder()
        let module = ReturningModule()
        let app = try ModularApp(
            [module],
            on: AppServices(storage: try Storage(folder: folder.url), client: SampleDay().client).untimed)
        module.app.update { $0 = app }
        #expect(await app.send(.background).failureLines == [])
        #expect(throws: StorageError.self) { try Storage(folder: folder.url) }
        module.app.update { $0 = nil }
    }

    @Test("An app releases its data folder when its last reference is dropped")
    func freed() async throws {
        let folder = try TemporaryFolder()
        func launch() async throws {
            let app = try ModularApp(
                on: AppServices(storage: try Storage(folder: folder.url), client: SampleDay().client).untimed)
            #expect(app.modules.count > 5)
            #expect(await app.launch().failureLines == [])
        }
        try await launch()
        // The last task of the app may hold it a moment longer than this call.
        while (try? Storage(folder: folder.url)) == nil {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test("The sample day's app unlocks its data folder in the background, and locks it again afterwards")
    func day() async throws {
        let folder = try TemporaryFolder()
        let day = try SampleDay()
        let services = AppServices(storage: try Storage(folder: folder.url), client: day.client, key: day.key)
            .untimed
        let app = try ModularApp(day.watching([]), on: services) {
            try day.connect($0, storage: services.storage)
        }
        let isFree = Shared<[Bool]>([])
        let demo = DemoApp(
            day: day, app: app, launch: await app.launch(), names: [], routes: services.routes,
            mediator: services.mediator, notifications: services.notifications, storage: services.storage,
            send: { event in
                let failures = await app.send(event).failureLines
                isFree.update { $0.append((try? Storage(folder: folder.url)) != nil) }
                return failures
            })
        _ = try await demo.trace(as: .text) { _ in }
        // A memory warning and a link follow.
        #expect(isFree.value == [true, false, false, false])
    }
}
#endif
