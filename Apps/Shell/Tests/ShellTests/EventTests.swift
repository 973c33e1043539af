import AppModules
import Demo
import Foundation
import Lifecycle
import Storage
import TestSupport
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
@Suite("The app's events")
struct AppEventTests {
    @Test("In the background another process can use the data, and the active app has what it wrote")
    func background() async throws {
        let folder = try TemporaryFolder()
        let storage = try Storage(folder: folder.url)
        let app = try await ModularApp.launch(
            [], on: AppServices(storage: storage, client: SampleDay().client))
        let count = try storage.document("count", default: 0)

        #expect(await app.send(.background) == [])
        var other: Storage? = try Storage(folder: folder.url)
        try other?.document("count", default: 0).update { $0 = 7 }
        let failures = await app.send(.active)
        #expect(failures.count == 1 && failures[0].contains("is using this folder"))
        other = nil

        #expect(await app.send(.active) == [])
        #expect(count.value == 7)
        #expect(throws: StorageError.self) { try Storage(folder: folder.url) }
    }
}
#endif
