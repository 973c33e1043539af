import Foundation
import ModuleTree
import Testing

@Suite("Commands that change files")
struct EditCommandTests {
    /// Command lines with their exit codes.
    static let calls: [([String], Int32)] = [
        (["new-module", "Wallet"], 0), (["new-module", "wallet"], 2), (["new-module"], 2),
        (["new-module", "Wallet", "--layer", "Core"], 2), (["new-module", "ModuleA"], 2),
        (["new-module", "Wallet", "--layer", "common", "--calls", "ModuleA,ModuleB"], 0),
        (["new-module", "--calls", "ModuleA", "Wallet"], 0),
        (["new-module", "Wallet", "--calls", "ModuleA", "ModuleB"], 2),
        (["remove", "ModuleA"], 1), (["remove", "Nobody"], 2),
        (["bump", "ModuleB", "patch", "--note", "x"], 0),
        (["bump", "ModuleB", "patch"], 2), (["bump", "ModuleB", "huge", "--note", "x"], 2),
        (["recover"], 0),
    ]

    let tool: Tool

    init() throws { tool = try Tool() }

    private func status() throws -> String { try tool.shell("git", "status", "--porcelain") }

    @Test(
        "Commands exit with 0 on success, 1 for a refused change, and 2 for invalid arguments",
        arguments: calls)
    func exitCodes(arguments: [String], status: Int32) throws {
        let output = try tool.run(arguments)
        #expect(output.status == status, "\(output.text)\(output.standardError)")
        #expect(output.standardError.isEmpty == (status == 0))
        if status != 0 { #expect(try self.status() == "") }
    }

    @Test(
        "A dry run shows the changes and makes none",
        arguments: [
            ["new-module", "Wallet", "--calls", "ModuleA"], ["bump", "ModuleB", "minor", "--note", "x"],
        ])
    func dryRun(arguments: [String]) throws {
        let output = try tool.run(arguments + ["--dry-run"])
        #expect(output.status == 0)
        #expect(output.text.contains("~ VERSIONS.md\n    "))
        #expect(try status() == "")
    }

    @Test(
        "Commands that make the diagram of the tree stale print the command that updates it",
        arguments: ["README.md", "Packages/README.md"])
    func picture(file: String) throws {
        let command = "Scripts/modules graph --write \(file)"
        try tool.write("No picture.\n", to: "Packages/README.md")
        #expect(try !tool.run("new-module", "Wallet").text.contains(command))
        try tool.write("```mermaid\n%% Made by: Scripts/modules graph\n```\n", to: file)
        try tool.run("graph", "--write", file)
        #expect(try tool.run("bump", "ModuleB", "patch", "--note", "x").text.contains(command) == false)
        for arguments in [["new-module", "Purse"], ["remove", "Wallet"]] {
            #expect(try tool.run(arguments).text.hasSuffix(": \(command)\n"))
            #expect(try tool.run("graph", "--check", file).status == 1)
            try tool.run("graph", "--write", file)
            #expect(try tool.run("graph", "--check", file).status == 0)
        }
    }

    @Test("Two editing commands that run concurrently both take effect")
    func atOnce() async throws {
        let tool = tool
        try await withThrowingTaskGroup(of: Int32.self) { group in
            for name in ["Alpha", "Beta"] {
                group.addTask { try tool.run("new-module", name).status }
            }
            for try await status in group { #expect(status == 0) }
        }
        let manifest = try tool.text("Package.swift")
        #expect(manifest.contains("    Pair(\"Business/Alpha\"),\n    Pair(\"Business/Beta\"),\n"))
        #expect(try tool.run("registrations", "--check").status == 0)
        #expect(try tool.run("remove", "Alpha").status == 0)
        #expect(try tool.run("remove", "Beta").status == 0)
        #expect(try status() == "")
    }

    @Test("registrations updates the Shell's list of modules after an edit of the root manifest")
    func registrations() throws {
        let list = "Apps/Shell/Sources/AppModules/Registrations.swift"
        let (manifest, before) = (try tool.text("Package.swift"), try tool.text(list))
        let pair = try #require(manifest.firstMatch(of: /\n    Pair\("\w+\/(\w+)"\),/))
        try tool.write(manifest.replacing(pair.output.0, with: ""), to: "Package.swift")
        let checked = try tool.run("registrations", "--check")
        #expect(checked.status == 1)
        #expect(checked.standardError.contains(": import \(pair.output.1)\n"), "\(checked.standardError)")
        #expect(checked.standardError.contains("Run: Scripts/registrations"))
        #expect(try tool.text(list) == before)
        #expect(try tool.run("registrations").status == 0)
        #expect(try !tool.text(list).contains("import \(pair.output.1)\n"))
        #expect(try tool.run("registrations", "--check").status == 0)
        try tool.write(manifest, to: "Package.swift")
        #expect(try tool.run("registrations").status == 0)
        #expect(try status() == "")
        #expect(try tool.run("registrations").text == "\(list) is up to date.\n")
    }

    @Test("In an incomplete tree, an editing command names the missing file")
    func elsewhere() throws {
        let output = try Command.run(
            [Tool.path(), "new-module", "Wallet", "--no-cache", "--root", tool.folder.path + "/Packages"],
            in: "/")
        #expect(output.status == 2)
        #expect(output.standardError.contains(tool.folder.path + "/Packages/Package.swift"))
        #expect(try status() == "")
    }
}
