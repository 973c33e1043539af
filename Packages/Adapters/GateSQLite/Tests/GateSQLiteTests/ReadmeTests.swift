import Foundation
import GateLedger
import GateSQLite
import TestSupport
import Testing

@Suite("The README")
struct ReadmeTests {
    @Test("Each Swift block equals its source file's text")
    func code() throws {
        let readme = try Readme()
        #expect(readme.blocks(in: "swift").count == 1)
        #expect(readme.strayCode(indented: true).map(\.description) == [])
    }

    @Test("The README's settings contain the ledger")
    func settings() async throws {
        let folder = try TemporaryFolder(), file = folder.file("gate.sqlite")
        let settings = GateSettings(ledger: try SQLiteLedger(file: file))
        try await settings.ledger?.transaction { try $0.save(GateRecord("A", of: "ann")) }
        #expect(try await SQLiteLedger(file: file).record("A") != nil)
    }
}
