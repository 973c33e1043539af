import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("Choices of a document")
struct ChoiceTests {
    @Test("An update in the background runs on another thread, in order, and is on disk when it returns")
    @MainActor func background() async throws {
        let folder = try TemporaryFolder()
        let storage = try Storage(folder: folder.url)
        let document = try storage.document("log", default: [Int]())
        for number in 0..<3 {
            let isMain = try await document.updateInBackground { log in
                log.append(number)
                return Thread.isMainThread
            }
            #expect(!isMain)
        }
        #expect(try folder.text("log.json").contains(#""value":[0,1,2]"#))
        struct Refusal: Error {}
        await #expect(throws: Refusal.self) {
            try await document.updateInBackground { _ in throw Refusal() }
        }
        #expect(document.value == [0, 1, 2])
    }

    @Test("Every update passes the document's protection on, and other documents have none")
    func protection() throws {
        let files = FaultyFiles()
        let storage = Storage(files: files, unreadable: .refuse)
        try storage.document("open", default: 0).update { $0 = 1 }
        let document = try storage.document("closed", default: 0, protection: .complete)
        for _ in 1...2 {
            try document.update { $0 += 1 }
            #expect(files.protection("closed")?.rawValue == FileProtectionType.complete.rawValue)
        }
        #expect(files.protection("open")?.rawValue == nil)
    }

    @Test("A protected document is stored as any other")
    func protectedFile() throws {
        let folder = try TemporaryFolder()
        try Storage(folder: folder.url).document("closed", default: 0, protection: .completeUnlessOpen)
            .update { $0 = 1 }
        #expect(try Storage(folder: folder.url).document("closed", default: 0).value == 1)
    }
}
