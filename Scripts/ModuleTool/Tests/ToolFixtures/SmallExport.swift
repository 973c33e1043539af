import Foundation
import ModuleFixtures
import ModuleKit
import Testing

/// Runs the built tool to export the small tree to a folder outside the tree.
package final class SmallExport: Sendable {
    package let tree: TemporaryTree
    private let outside: TemporaryTree

    /// The folder that holds the exported packages.
    package var folder: URL { URL(filePath: outside.root + "/packages", directoryHint: .isDirectory) }

    package init() throws {
        tree = try SmallTree.withOneCommit()
        outside = try TemporaryTree([
            "somebody": "[user]\n    name = Tester\n    email = t@example.com\n",
            "nobody": "[user]\n    useConfigOnly = true\n", "temporary/.keep": "",
        ])
    }

    /// Runs `modules export`.
    ///
    /// - Parameters:
    ///   - step: The step before which the tool is killed, or nil to let it finish.
    ///   - user: The git settings to use: `somebody` has an identity, and `nobody` has no identity.
    ///   - git: A shell script to run instead of git, with git's arguments.
    package func export(
        _ arguments: [String], killedAt step: Int? = nil, user: String = "somebody", git: String? = nil
    ) throws -> Command.Output {
        let unset = ["AUTHOR_NAME", "AUTHOR_EMAIL", "COMMITTER_NAME", "COMMITTER_EMAIL"].flatMap {
            ["-u", "GIT_\($0)"]
        }
        let variables =
            [
                "GIT_CONFIG_GLOBAL=\(outside.root)/\(user)", "GIT_CONFIG_SYSTEM=/dev/null", "EMAIL=",
                "XDG_CACHE_HOME=\(outside.root)/cache",
                "TMPDIR=\(temporary)",
            ] + (step.map { ["MODULETOOL_KILL_AT_STEP=\($0)"] } ?? []) + (try git.map(path(with:)) ?? [])
        return try Command.run(
            ["env"] + unset + variables + [Tool.path(), "export", "--to", folder.path, "--root", tree.root]
                + arguments, in: tree.root)
    }

    /// The folder for the tool's temporary files, which contains nothing else.
    private var temporary: String { outside.root + "/temporary" }

    /// The temporary files that exports have left.
    package func leftovers() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: temporary)
    }

    /// The variable `PATH` with a script in place of git.
    private func path(with git: String) throws -> [String] {
        try outside.write("bin/git", "#!/bin/sh\n\(git)\n")
        try outside.run("chmod", "+x", "bin/git")
        return ["PATH=\(outside.root)/bin:\(ProcessInfo.processInfo.environment["PATH"] ?? "")"]
    }

    /// Runs a shell command in the folder that holds the exported packages.
    @discardableResult
    package func shell(_ line: String) throws -> String {
        let output = try Command.run(["bash", "-c", line], in: folder.path)
        try #require(output.status == 0, "\(line): \(output.standardError)")
        return output.text
    }

    /// The contents of all files by path, and the references, status and consistency of each repository.
    /// Git's objects, logs and index are left out, because equal repositories may store them differently.
    package func state() throws -> [String: String] {
        var state: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
            if path.contains(/\/\.git\/(objects|logs|index$)/) { continue }
            // Folders have no contents.
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
