import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// Problems of the machine or repository, which the tool reports with exit code 3 and a remedy.
@Suite("Missing programs, history and permissions")
struct EnvironmentTests {
    private let tree: TemporaryTree

    init() throws {
        tree = try SmallTree.make()
        try tree.commit("Start")
    }

    private func run(_ arguments: [String], path: String? = nil) throws -> Command.Output {
        let variables = path.map { ["PATH=\($0)"] } ?? []
        return try Command.run(
            ["/usr/bin/env"] + variables + [Tool.path()] + arguments + ["--no-cache", "--root", tree.root],
            in: tree.root)
    }

    private func expectRefusal(_ output: Command.Output, _ parts: String...) {
        #expect(output.status == 3)
        #expect(output.text.isEmpty)
        for part in ["error: ", "\n  fix:  "] + parts { #expect(output.standardError.contains(part)) }
    }

    @Test("Without git, commands that need the history exit with 3, and all other commands work")
    func noGit() throws {
        for arguments in [["check"], ["check", "versions"], ["affected", "--since", "HEAD"]] {
            try expectRefusal(run(arguments, path: "/nowhere"), "git", "install git")
        }
        for arguments in [["check", "pairs", "layers", "imports", "registration"], ["graph"]] {
            #expect(try run(arguments, path: "/nowhere").status == 0)
        }
    }

    @Test("Without swift, the tool exits with 3 if only SwiftPM can read a manifest")
    func noSwift() throws {
        try tree.edit(
            "Packages/Core/ApiCenter/Package.swift", "\n    targets: [",
            "\n    targets: Int.random(in: 0...1) > 1 ? [] : [")
        try expectRefusal(run(["check", "layers"], path: "/nowhere"), "install swift")
    }

    @Test("Without a git history, or for an unknown revision, checking the rules about versions exits with 3")
    func noHistory() throws {
        try expectRefusal(run(["check", "versions", "--since", "v99"]), "v99: is not a revision")
        try FileManager.default.removeItem(atPath: tree.root + "/.git")
        try expectRefusal(run(["check"]), "has no git history")
    }

    @Test("In another user's repository, the tool prints git's own advice")
    func otherOwner() throws {
        let git = [
            "GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
        ]
        for arguments in [["check"], ["check", "versions"], ["affected", "--since", "HEAD"]] {
            let output = try Command.run(
                ["/usr/bin/env"] + git + [Tool.path()] + arguments + ["--no-cache", "--root", tree.root],
                in: tree.root)
            expectRefusal(
                output, "dubious ownership", "  fix:  git config --global --add safe.directory \(tree.root)\n"
            )
        }
    }

    @Test("The number of git processes does not depend on the number of changed Apis")
    func gitStarts() throws {
        let tools = try TemporaryTree([:])
        let log = tools.root + "/starts"
        let git = try Command.run(["which", "git"], in: tree.root).text.trimmingCharacters(in: .newlines)
        try tools.write("git", "#!/bin/sh\necho >> '\(log)'\nexec '\(git)' \"$@\"\n")
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: tools.root + "/git")
        let path = try tools.root + ":" + #require(ProcessInfo.processInfo.environment["PATH"])
        func starts() throws -> Int {
            try tools.write("starts", "")
            let output = try run(["check", "versions"], path: path)
            #expect(output.status == 0, "\(output.text)\(output.standardError)")
            return try tools.read("starts").count
        }
        func release(_ module: String, api: (old: String, new: String), imp: String) throws {
            let text = "Packages/Business/\(module)Api/Sources/\(module)Api/\(module)ApiProtocol.swift"
            try tree.write(text, try tree.read(text) + "\npublic struct \(module)Draft: Sendable {}\n")
            try tree.edit("VERSIONS.md", "| \(api.old) | \(imp) |", "| \(api.new) | \(imp) |")
            try tree.edit(
                "Packages/Business/\(module)Api/CHANGELOG.md", "## \(api.old)",
                "## \(api.new)\n\n- A draft's type.\n\n## \(api.old)")
            try tree.commit("\(module)Api \(api.new)")
        }
        try release("Ride", api: ("1.2.0", "1.3.0"), imp: "1.1.0")
        let one = try starts()
        #expect(one > 0)
        try release("Journey", api: ("1.0.0", "1.1.0"), imp: "1.0.0")
        #expect(try starts() == one)
    }

    @Test("Inside a git hook of another repository, the tool still uses the tree's own repository")
    func hook() throws {
        let output = try Command.run(
            [
                "/usr/bin/env", "GIT_DIR=/nowhere", "GIT_INDEX_FILE=/nowhere/index", Tool.path(),
                "check", "versions", "--no-cache", "--root", tree.root,
            ], in: tree.root)
        #expect(output.status == 0, "\(output.standardError)")
    }

    @Test("In a read-only tree, the tool exits with 3 and changes nothing")
    func unwritable() throws {
        // A file takes the place of the folder `.modules`, so not even the root user can write into that folder.
        try tree.write(".modules", "")
        try tree.write("README.md", "```mermaid\n%% Made by: Scripts/modules graph\n```\n")
        let before = try tree.files()
        try expectRefusal(run(["graph", "--write", "README.md"]), "cannot be written to")
        #expect(try tree.files() == before)
    }

    @Test("The tool exits with 3 if it cannot write a file, and does not replace a folder")
    func occupied() throws {
        try tree.write("Packages/Common/ErrorCode/Sources/ErrorCode/X.swift", "import Mediator\n")
        try tree.write("modules-baseline.json/file", "mine")
        try tree.write(".modules/in-focus", "")
        try expectRefusal(run(["focus", "Ride"]), "a file or a folder cannot be read or written")
        let refused = try run(["baseline", "imports"])
        #expect(refused.status == 1 && refused.standardError.contains("modules-baseline.json: is a folder."))
        #expect(try tree.read("modules-baseline.json/file") == "mine")
    }

    @Test("The check command reports an unreadable manifest as a finding, and all other commands exit with 2")
    func unreadable() throws {
        let manifest = "Packages/Core/ApiCenter/Package.swift"
        try tree.remove(manifest)
        try FileManager.default.createSymbolicLink(
            atPath: tree.root + "/" + manifest, withDestinationPath: "nowhere")
        let check = try run(["check", "layers"])
        #expect(check.status == 1)
        #expect(
            check.text.hasPrefix(
                manifest + ":1:1: manifest-read: the manifest cannot be read: cannot be read"))
        let affected = try run(["affected", "--since", "HEAD"])
        #expect(affected.status == 2 && affected.standardError.contains(manifest + ": cannot be read"))
    }

    @Test("A cache that cannot be written is ignored")
    func noCache() throws {
        let output = try Command.run(
            [
                "/usr/bin/env", "XDG_CACHE_HOME=/dev/null", Tool.path(), "check", "layers", "--root",
                tree.root,
            ], in: tree.root)
        #expect(output.status == 0 && output.standardError.isEmpty)
    }
}
