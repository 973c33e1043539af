import Foundation
import TestSupport
import Testing

@testable import Storage

@Suite("The file protection of a document")
struct ChoiceTests {
    @Test("Every update applies the document's protection, and other documents get no protection")
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

    @Test("A protected document is stored and read like any other")
    func protectedFile() throws {
        let folder = try TemporaryFolder()
        try Storage(folder: folder.url).document("closed", default: 0, protection: .completeUnlessOpen)
            .update { $0 = 1 }
        #expect(try Storage(folder: folder.url).document("closed", default: 0).value == 1)
    }
}
