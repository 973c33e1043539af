import Foundation
import ModuleFixtures
import Testing

@testable import ModuleEdits

@Suite("Killed edits", .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"))
struct InterruptedEditDeepTests {
    @Test("new-module, bump and remove, when killed at any step, make all of their changes or none")
    func everyStep() throws {
        let copy = try HouseCopy()
        let edits: [any Edit] = [
            NewModule(name: "Wallet", layer: .common, calls: ["ModuleA"]),
            BumpModule(name: "ModuleB", step: .minor, notes: ["x"]), RemoveModule(name: "Wallet"),
        ]
        for edit in edits {
            let before = try copy.folder.files()
            let changes = try copy.make(edit).changes
            let after = try copy.folder.files()
            var outcomes: [Bool] = []
            for step in 1... {
                let folder = try TemporaryFolder(before)
                var count = 0
                do {
                    let transaction = try Transaction(root: folder.url) { _ in
                        count += 1
                        // As after a kill, nothing works from this step on.
                        if count >= step { throw CocoaError(.fileWriteUnknown) }
                    }
                    try transaction.apply(changes, command: "test")
                    #expect(try folder.files() == after)
                    if count < step { break }
                } catch is EditError {}
                let isPending = Transaction.isPending(root: folder.url)
                #expect(try (Transaction(root: folder.url).undone != nil) == isPending)
                let files = try folder.files()
                #expect(files == before || files == after, "\(edit.command) killed at step \(step)")
                outcomes.append(files == after)
            }
            #expect(outcomes == outcomes.sorted { !$0 && $1 })
            #expect(outcomes.contains(true) && outcomes.contains(false))
            #expect(outcomes.count >= 2 * changes.count)
        }
    }
}
