import Foundation
import ModuleFixtures
import Testing

@testable import ModuleEdits

@Suite("Killed edits", .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"))
struct InterruptedEditDeepTests {
    /// Kills a transaction with `changes` at each of its steps, recovers the tree, and expects the old tree
    /// or the new one.
    private func expectAllOrNothing(_ changes: [Change], before: [String: String], after: [String: String])
        throws
    {
        var outcomes: [Bool] = []
        for step in 1... {
            let folder = try TemporaryFolder(before)
            var count = 0
            do {
                let transaction = try Transaction.begin(root: folder.url) { _ in
                    count += 1
                    if count == step { throw TransactionFiles.Killed() }
                }
                try transaction.apply(changes, command: "test")
                #expect(try folder.files() == after)
                break
            } catch is TransactionFiles.Killed {
                let isPending = Transaction.isPending(root: folder.url)
                let recovery = try Transaction.begin(root: folder.url).recovery
                #expect((recovery?.isCompleted ?? false) == isPending)
                let files = try folder.files()
                #expect(files == before || files == after, "killed at step \(step)")
                outcomes.append(files == after)
            }
        }
        // A kill before the journal is written leaves the old tree, and a later kill leaves the new tree.
        #expect(outcomes == outcomes.sorted { !$0 && $1 })
        #expect(outcomes.contains(true) && outcomes.contains(false))
        #expect(outcomes.count >= 2 * changes.count)
    }

    @Test("new-module and remove, when killed at any step, make all of their changes or none")
    func newModuleAndRemove() throws {
        let copy = try HouseCopy()
        let before = try copy.folder.files()
        let made = try copy.make(NewModule(name: "Wallet", layer: .common, calls: ["ModuleA"]))
        let after = try copy.folder.files()
        try expectAllOrNothing(made.changes, before: before, after: after)
        let removed = try copy.make(RemoveModule(name: "Wallet"))
        #expect(try copy.folder.files() == before)
        try expectAllOrNothing(removed.changes, before: after, after: before)
    }

    @Test("bump, when killed at any step, raises all versions or none")
    func bump() throws {
        let copy = try HouseCopy()
        let before = try copy.folder.files()
        let made = try copy.make(BumpModule(name: "ModuleB", step: .minor, notes: ["x"]))
        try expectAllOrNothing(made.changes, before: before, after: copy.folder.files())
    }
}
