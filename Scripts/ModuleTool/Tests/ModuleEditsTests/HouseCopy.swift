import Foundation
import ModuleTree
import Testing

@testable import ModuleEdits

/// A copy of this repository's tree in a temporary folder, with a git history of one commit.
struct HouseCopy {
    let folder: TemporaryFolder
    let root: HouseRoot

    /// What manifests say is kept for all copies of one run.
    private static let cache = FileManager.default.temporaryDirectory
        .appending(path: "modules-tests-\(ProcessInfo.processInfo.processIdentifier).cache").path

    static let ours = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }

    init() throws {
        folder = try TemporaryFolder()
        root = HouseRoot(folder.url, caching: .file(Self.cache))
        for path in ["Package.swift", "VERSIONS.md", ".gitignore", ".swift-format", "Scripts/registrations"] {
            try copy(path)
        }
        for part in ["Apps", "Packages"] {
            let paths = try FileManager.default.subpathsOfDirectory(
                atPath: Self.ours.appending(path: part).path)
            for path in paths where path.hasSuffix(".swift") && !path.contains(".build") {
                try copy("\(part)/\(path)")
            }
        }
        try git("init", "--quiet")
        try git("add", "--all")
        try git(
            "-c", "user.name=test", "-c", "user.email=test@example.org", "commit", "--quiet", "-m", "Start")
    }

    private func copy(_ path: String) throws {
        let target = folder.url.appending(path: path)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: Self.ours.appending(path: path), to: target)
    }

    /// Does what the command does.
    @discardableResult
    func make(_ edit: some Edit) throws -> EditPlan {
        try Transaction.run(root: folder.url) { transaction in
            let plan = try edit.plan(root)
            if !plan.changes.isEmpty { try transaction.apply(plan.changes, command: edit.command) }
            return plan
        }
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
