import Foundation
import ModuleTree
import Testing

@Suite("The commands that change files")
struct EditCommandTests {
    /// Arguments and the exit code they lead to.
    static let calls: [([String], Int32)] = [
        (["new-module", "Wallet"], 0), (["new-module", "wallet"], 2), (["new-module"], 2),
        (["new-module", "Wallet", "--layer", "Core"], 2), (["new-module", "ModuleA"], 0),
        (["remove", "ModuleA"], 1), (["remove", "Nobody"], 2),
        (["bump", "ModuleB", "patch", "--note", "x"], 0),
        (["bump", "ModuleB", "patch"], 2), (["bump", "ModuleB", "huge", "--note", "x"], 2),
        (["recover"], 0),
    ]

    let tool: Tool

    init() throws { tool = try Tool() }

    private func status() throws -> String { try tool.shell("git", "status", "--porcelain") }

    @Test(
        "end with 0 when done, 1 when the tree does not allow it, 2 when called wrongly",
        arguments: calls)
    func exitCodes(arguments: [String], status: Int32) throws {
        let output = try Command.run(
            [Tool.path()] + arguments + ["--no-cache", "--root", tool.folder.path], in: "/")
        #expect(output.status == status, "\(output.text)\(output.standardError)")
        #expect(output.standardError.isEmpty == (status == 0))
        if status != 0 { #expect(try self.status() == "") }
    }

    @Test(
        "change nothing in a dry run, and show what they would",
        arguments: [
            ["new-module", "Wallet", "--calls", "ModuleA"], ["bump", "ModuleB", "minor", "--note", "x"],
        ])
    func dryRun(arguments: [String]) throws {
        let output = try Command.run(
            [Tool.path()] + arguments + ["--dry-run", "--no-cache", "--root", tool.folder.path], in: "/")
        #expect(output.status == 0)
        #expect(output.text.contains("~ VERSIONS.md\n    "))
        #expect(try status() == "")
    }

    @Test("say that the README's picture has to be drawn anew, and with what, where there is one")
    func picture() throws {
        let command = "Scripts/modules graph --write README.md"
        #expect(try !tool.run("new-module", "Wallet").text.contains(command))
        try tool.write("```mermaid\n%% Made by: Scripts/modules graph\n```\n", to: "README.md")
        try tool.run("graph", "--write", "README.md")
        #expect(try tool.run("bump", "ModuleB", "patch", "--note", "x").text.contains(command) == false)
        for arguments in [["new-module", "Purse"], ["remove", "Wallet"]] {
            #expect(try tool.run(arguments).text.hasSuffix("anew: \(command)\n"))
            #expect(try tool.run("graph", "--check", "README.md").status == 1)
            try tool.run("graph", "--write", "README.md")
            #expect(try tool.run("graph", "--check", "README.md").status == 0)
        }
    }

    @Test("two at once both take effect")
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

    @Test("write the Shell's list anew from a manifest that was edited by hand")
    func registrations() throws {
        let list = "Apps/Shell/Sources/Shell/Registrations.swift"
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
        #expect(try tool.run("registrations").text == "\(list) has the pairs of Package.swift.\n")
    }

    @Test("name the tree that they cannot work in")
    func elsewhere() throws {
        let output = try Command.run(
            [Tool.path(), "new-module", "Wallet", "--no-cache", "--root", tool.folder.path + "/Packages"],
            in: "/")
        #expect(output.status == 2)
        #expect(output.standardError.contains(tool.folder.path + "/Packages/Package.swift"))
        #expect(try status() == "")
    }

    @Test("make a module that builds, passes its tests and runs in the Shell", .tags(.endToEnd))
    func endToEnd() throws {
        for arguments in [
            ["Passenger", "--layer", "Common"], ["Wallet", "--calls", "ModuleA", "Passenger"],
            ["ModuleBOther", "--alternative-to", "ModuleB", "--calls", "ModuleA"],
            ["PassengerOther", "--alternative-to", "Passenger", "--calls", "Wallet", "--layer", "Common"],
        ] {
            let output = try tool.run(["new-module"] + arguments)
            try #require(output.status == 0, "\(arguments): \(output.standardError)")
        }
        let tests = try tool.shell(
            "swift", "test", "--filter", "WalletTests|PassengerTests|OtherTests", limit: .seconds(1200))
        #expect(tests.contains("10 tests in 4 suites passed"))
        let shell = try tool.shell(
            "swift", "run", "--skip-build", "Shell", "--data", "data", limit: .seconds(1200))
        #expect(shell.contains(try Regex("  Wallet +1\\.0\\.0  registered in ")))
        #expect(shell.contains(try Regex("  Passenger +1\\.0\\.0  registered in ")))
        #expect(shell.contains(try Regex("  ModuleBOther +left out of this build")))
        // Callers compile without the module that they call, and cannot tell one IMP from another.
        let chosen = try tool.shell(
            "swift", "run", "--disable-default-traits", "--traits", "ModuleA,ModuleBOther", "Shell", "--data",
            "data", limit: .seconds(1200))
        #expect(chosen.contains("-> ModuleBApiProtocol  \"I am ModuleBOther.\""))
        #expect(chosen.contains(try Regex("  ModuleBOther +-> ModuleAApiProtocol  \"I am ModuleA\\.\"")))
        #expect(chosen.contains(try Regex("  Wallet +left out of this build")))
        // And its package stands alone.
        try tool.shell(
            "swift", "test", "--package-path", "Packages/Business/Wallet", limit: .seconds(1200))
    }
}
