import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleEdits

/// A copy of this repository's files in a temporary folder, with a git history of one commit.
struct HouseCopy {
    let folder: TemporaryFolder
    let root: HouseRoot

    init() throws {
        folder = try TemporaryFolder()
        root = HouseRoot(folder.url, caching: .file(HouseFiles.cache.appending(path: "facts").path))
        try HouseFiles.copy(to: folder.url)
    }

    /// Plans an edit and applies it in a transaction, as the command line does.
    @discardableResult
    func make(_ edit: some Edit) throws -> EditPlan {
        let transaction = try Transaction(root: folder.url)
        let plan = try edit.plan(root)
        try transaction.apply(plan.changes, command: edit.command)
        return plan
    }

    @discardableResult
    func git(_ arguments: String...) throws -> String { try run(["git"] + arguments).text }

    @discardableResult
    func run(_ arguments: [String]) throws -> Command.Output {
        let output = try Command.run(arguments, in: folder.url.path)
        try #require(output.status == 0, "\(arguments): \(output.text)\(output.standardError)")
        return output
    }
}
