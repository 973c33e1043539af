import Foundation
import ModuleFixtures
import Testing

@testable import ModuleFacts

@Suite("What a change of an Api does to a caller")
struct CallerChangeTests {
    @Test("A change is a break if a caller no longer compiles", arguments: CallerChange.rows)
    func verdict(_ row: CallerChange) throws {
        let changes = try ApiSurface(module: "Api", ["A.swift": Data(row.old.utf8)])
            .changes(to: ApiSurface(module: "Api", ["A.swift": Data(row.new.utf8)]))
        #expect(!changes.breaks.isEmpty == row.isBreak, "\(changes)")
    }

    @Test("The table is complete")
    func count() { #expect(CallerChange.rows.count >= 60) }
}
