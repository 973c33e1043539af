import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// The built tool, exporting the small tree to a folder beside it.
final class SmallExport: Sendable {
    let tree: TemporaryTree
    private let outside: TemporaryTree

    /// Where the packages go.
    var folder: URL { URL(filePath: outside.root + "/packages", directoryHint: .isDirectory) }

    init() throws {
        tree = try SmallTree.make()
        try tree.commit("Start")
        outside = try TemporaryTree([
            "somebody": "[user]\n    name = Tester\n    email = t@example.com\n",
            "nobody": "[user]\n    useConfigOnly = true\n",
        ])
    }

    /// Exports packages.
    ///
    /// - Parameters:
    ///   - step: The step before which the tool is killed; nil lets it come to its end.
    ///   - user: Who git takes its user for: `somebody` or `nobody`.
    func export(_ arguments: [String], killedAt step: Int? = nil, user: String = "somebody") throws
        -> Command.Output
    {
        let unset = ["AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"].flatMap {
            ["-u", "GIT_\($0)"]
        }
        let variables =
            [
                "GIT_CONFIG_GLOBAL=\(outside.root)/\(user)", "GIT_CONFIG_SYSTEM=/dev/null", "EMAIL=",
                "XDG_CACHE_HOME=\(outside.root)/cache",
            ] + (step.map { ["MODULETOOL_KILL_AT_STEP=\($0)"] } ?? [])
        return try Command.run(
            ["env"] + unset + variables + [Tool.path(), "export", "--to", folder.path, "--root", tree.root]
                + arguments, in: tree.root)
    }

    /// Runs a line of shell where the packages are.
    @discardableResult
    func shell(_ line: String) throws -> String {
        let output = try Command.run(["bash", "-c", line], in: folder.path)
        try #require(output.status == 0, "\(line): \(output.standardError)")
        return output.text
    }

    /// Every file that is there with its content, those of git too, and what git makes of them. Not compared is how
    /// git packs and remembers it.
    func state() throws -> [String: String] {
        var state: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            if path.contains(/\/\.git\/(objects|logs|index$)/) { continue }
            // A folder has no content.
            let data = FileManager.default.contents(atPath: folder.appending(path: path).path)
            state[path] = data.map { String(decoding: $0, as: UTF8.self) } ?? "a folder"
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where FileManager.default.fileExists(atPath: folder.appending(path: name + "/.git").path) {
            state["git: " + name] = try shell(
                "cd \(name) && git for-each-ref && git status --porcelain && git fsck --strict")
        }
        return state
    }
}
