import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

/// Problems of the machine or repository, which the tool reports with exit code 3 and a remedy.
@Suite("Missing programs, history and permissions")
struct EnvironmentTests {
    private let tool: Tool
    private var tree: TemporaryTree { tool.tree }

    init() throws { tool = try Tool(in: SmallTree.withOneCommit()) }

    private static let noPrograms = ["PATH": "/nowhere"]
    private static let otherOwner = [
        "GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_CONFIG_NOSYSTEM": "1",
    ]

    struct Problem: Sendable, CustomTestStringConvertible {
        let line: String
        let parts: [String]
        var environment: [String: String] = [:]
        /// A file to write before the command, and its contents; nil removes the file or folder.
        var file: (path: String, text: String?)?

        var testDescription: String { "\(line): \(parts[0])" }
    }

    @Test(
        "A problem of the machine is an error with a fix and exit code 3, and nothing is written",
        arguments: [
            Problem(line: "check", parts: ["git", "Install git"], environment: noPrograms),
            Problem(line: "check versions", parts: ["git", "Install git"], environment: noPrograms),
            Problem(line: "affected --since HEAD", parts: ["git", "Install git"], environment: noPrograms),
            // Only SwiftPM can read this manifest.
            Problem(
                line: "check layers", parts: ["Install swift"], environment: noPrograms,
                file: (
                    "Packages/Core/ApiCenter/Package.swift",
                    SmallTree.manifest("ApiCenter").replacing(
                        "targets: [\n", with: "targets: Int.random(in: 0...1) > 1 ? [] : [\n")
                )),
            Problem(line: "check versions --since v99", parts: ["v99: is not a revision"]),
            Problem(line: "check", parts: ["has no git history"], file: (".git", nil)),
            Problem(line: "check", parts: ["dubious ownership", "safe.directory"], environment: otherOwner),
            Problem(line: "check versions", parts: ["dubious ownership"], environment: otherOwner),
            Problem(line: "affected --since HEAD", parts: ["dubious ownership"], environment: otherOwner),
            // A file takes the place of a folder, so not even the root user can write into that folder.
            Problem(
                line: "baseline imports", parts: ["the tree cannot be written to"], file: (".modules", "")),
            Problem(
                line: "focus Ride", parts: ["A file or a folder cannot be read or written"],
                file: (".modules/in-focus", "")),
        ])
    func refused(_ problem: Problem) throws {
        if let file = problem.file {
            if let text = file.text { try tree.write(file.path, text) } else { try tree.remove(file.path) }
        }
        let before = try tree.files()
        let output = try tool.run(
            problem.line.split(separator: " ").map(String.init), environment: problem.environment)
        #expect(output.status == 3 && output.text.isEmpty)
        for part in ["error: ", "\n  fix:  "] + problem.parts { #expect(output.standardError.contains(part)) }
        #expect(try tree.files() == before)
    }

    @Test(
        "Without git, in a hook of another repository, or without a cache folder, other commands work",
        arguments: [
            ("check pairs layers imports registration", noPrograms), ("graph", noPrograms),
            ("check versions", ["GIT_DIR": "/nowhere", "GIT_INDEX_FILE": "/nowhere/index"]),
            ("check layers", ["XDG_CACHE_HOME": "/dev/null"]),
        ])
    func works(_ line: String, _ environment: [String: String]) throws {
        try tool.expect(line, environment: environment)
    }

    @Test("The number of git processes does not depend on the number of changed Apis")
    func gitStarts() throws {
        func starts() throws -> Int {
            let log = tree.root + ".cache/starts"
            try tool.expect("check versions", environment: ["GIT_TRACE": log])
            defer { try? FileManager.default.removeItem(atPath: log) }
            return try String(contentsOfFile: log, encoding: .utf8).ranges(of: "trace: built-in: git").count
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

    @Test("A command does not replace a folder with its file")
    func occupied() throws {
        try tree.write("Packages/Common/ErrorCode/Sources/ErrorCode/X.swift", "import Mediator\n")
        try tree.write("modules-baseline.json/file", "mine")
        try tool.expect("baseline imports", 1, "modules-baseline.json: is a folder.")
        #expect(try tree.read("modules-baseline.json/file") == "mine")
    }

    @Test("The check command reports an unreadable manifest as a finding, and all other commands exit with 2")
    func unreadable() throws {
        let manifest = "Packages/Core/ApiCenter/Package.swift"
        try tree.remove(manifest)
        try FileManager.default.createSymbolicLink(
            atPath: tree.root + "/" + manifest, withDestinationPath: "nowhere")
        try tool.expect(
            "check layers", 1, manifest + ":1:1: manifest-read: the manifest cannot be read: cannot be read")
        try tool.expect(
            "affected --since HEAD", 2, manifest + ":1:1: the manifest cannot be read: cannot be read")
    }
}
