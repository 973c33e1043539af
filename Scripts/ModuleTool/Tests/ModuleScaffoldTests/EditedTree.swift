import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@testable import ModuleEdits

/// A copy of the sample tree, which tests edit in this process.
struct EditedTree {
    let folder: TemporaryTree
    let root: TreeRoot
    private let cache: TemporaryTree

    init() throws {
        (folder, cache) = (try SampleTree.make(), try TemporaryTree())
        try HouseFiles.makeCache(cache.root)
        try FileManager.default.copyItem(atPath: SampleTree.facts, toPath: cache.root + "/facts")
        root = try TreeRoot(folder.url, caching: .file(cache.root + "/facts"))
    }

    /// Plans an edit and applies it in a transaction, as the command-line tool does.
    @discardableResult
    func make(_ edit: some Edit) throws -> EditPlan {
        let transaction = try Transaction(root: folder.url)
        let plan = try edit.plan(root)
        try transaction.apply(plan.changes, command: edit.command)
        return plan
    }
}
