import Foundation
import ModuleFixtures
import Testing

@testable import ModuleEdits

/// A copy of this repository's files in a temporary folder, with a git history of one commit.
struct HouseCopy {
    let folder: TemporaryTree
    let root: HouseRoot
    private let cache: TemporaryTree

    init() throws {
        (folder, cache) = (try HouseFiles.copy(), try TemporaryTree())
        try HouseFiles.makeCache(cache.root, facts: "facts")
        root = try HouseRoot(folder.url, caching: .file(cache.root + "/facts"))
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
