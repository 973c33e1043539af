import Foundation
import ModuleTree
import Testing
import ToolFixtures

@Suite("Commands that change files")
struct EditCommandTests {
    private static let list = "Apps/Shell/Sources/AppModules/Registrations.swift"

    let tool: Tool

    init() throws { tool = try Tool() }

    private func status() throws -> String { try tool.tree.run("git", "status", "--porcelain") }

    @Test(
        "Commands exit with 0 on success, 1 for a refused change, and 2 for invalid arguments; a dry run changes nothing"
    )
    func exitCodes() throws {
        for (line, code) in [
            ("new-module wallet", Int32(2)), ("new-module Wallet --layer Core", 2),
            ("new-module Wallet --calls ModuleA ModuleB", 2), ("remove ModuleA", 1), ("remove Nobody", 2),
            ("bump ModuleB patch", 2), ("bump ModuleB huge --note x", 2), ("recover", 0),
            ("new-module Wallet --calls ModuleA --dry-run", 0), ("bump ModuleB minor --note x --dry-run", 0),
        ] {
            let text = try tool.expect(line, code)
            #expect(text.contains("error: ") == (code != 0))
            #expect(text.contains("~ VERSIONS.md\n    ") == line.hasSuffix("--dry-run"))
            #expect(try status() == "")
        }
        for line in [
            "new-module Wallet --layer common --calls ModuleA,ModuleB", "bump ModuleB patch --note x",
        ] {
            try tool.expect(line)
            #expect(try status() != "")
            try tool.tree.commit("Next")
        }
    }

    @Test("Commands that add or remove a pair redraw the diagrams of the tree")
    func diagrams() throws {
        let line = "~ README.md: the diagram of the tree\n"
        try tool.tree.write("Packages/README.md", "No diagram.\n")
        #expect(try !tool.expect("new-module Wallet").contains("diagram"))
        try tool.tree.write("README.md", "```mermaid\n%% Made by: Scripts/modules graph\n```\n")
        try tool.expect("graph --write README.md")
        try tool.tree.commit("Wallet")
        for command in ["new-module Purse", "remove Wallet"] {
            try tool.expect(command + " --dry-run", 0, line)
            try tool.expect(command, 0, line)
            try tool.expect("check diagram-current")
        }
        #expect(try tool.tree.read("README.md").contains("Purse"))
        #expect(try !tool.tree.read("README.md").contains("Wallet"))
    }

    @Test("Two editing commands that run concurrently both take effect")
    func atOnce() async throws {
        let tool = tool
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["Alpha", "Beta"] { group.addTask { try tool.expect("new-module \(name)") } }
            try await group.waitForAll()
        }
        let manifest = try tool.tree.read("Package.swift")
        #expect(manifest.contains("    Pair(\"Business/Alpha\"),\n    Pair(\"Business/Beta\"),\n"))
        try tool.expect("check registrations-current")
        try tool.tree.commit("Alpha and Beta")
        try tool.expect("remove Alpha")
        try tool.expect("remove Beta")
        #expect(try tool.tree.git("diff", "HEAD~", "--stat") == "")
    }

    @Test("The registrations command updates the Shell's list of modules after an edit of the root manifest")
    func registrations() throws {
        let (manifest, before) = (try tool.tree.read("Package.swift"), try tool.tree.read(Self.list))
        let pair = try #require(manifest.firstMatch(of: /\n    Pair\("\w+\/(\w+)"\),/))
        let line = "import \(pair.output.1)\n"
        try tool.tree.write("Package.swift", manifest.replacing(pair.output.0, with: ""))
        try tool.expect(
            "check registrations-current", 1, ": " + line, "\n  fix:  Scripts/modules registrations\n")
        // A fix for a tree that `--root` names must not edit the launcher's tree.
        try tool.expect(
            "check registrations-current", 1,
            "\n  fix:  Scripts/modules registrations --root '\(tool.tree.root)'\n",
            environment: ["MODULETOOL_ROOT": "/"])
        #expect(try tool.tree.read(Self.list) == before)
        try tool.expect("registrations")
        #expect(try !tool.tree.read(Self.list).contains(line))
        try tool.expect("check registrations-current")
        try tool.tree.write("Package.swift", manifest)
        try tool.expect("registrations")
        #expect(try status() == "")
        #expect(try tool.expect("registrations") == "\(Self.list) is up to date.\n")
        try tool.tree.edit(Self.list, "import ModuleA\n", "import ModuleAA\n")
        try tool.expect("check registrations-current --fix")
        #expect(try status() == "")
    }

    @Test("The remove command refuses to delete files that git could not restore, but deletes build products")
    func unrestorable() throws {
        try tool.expect("new-module Wallet")
        try tool.tree.commit("Wallet")
        let folder = "Packages/Business/Wallet/"
        for product in [".build/debug.yaml", ".swiftpm/x", "Package.resolved"] {
            try tool.tree.write(folder + product, "{}")
        }
        let service = folder + "Sources/Wallet/WalletService.swift"
        let made = try tool.tree.read(service)
        try tool.tree.write(service, made + "// A day's work.\n")
        try tool.tree.edit(".gitignore", ".DS_Store\n", ".DS_Store\n*.secret\n")
        let secrets = ["Packages/Business/WalletApi/.hidden.secret", folder + "my.secret"]
        for secret in secrets { try tool.tree.write(secret, "mine") }
        let lost = ([service] + secrets).sorted().map { "\n  \($0)" }.joined()
        try tool.expect("remove Wallet", 1, "uncommitted work would be lost:\(lost)\n  why:")
        #expect(try tool.tree.read(secrets[1]) == "mine")
        try tool.tree.write(service, made)
        for secret in secrets { try tool.tree.remove(secret) }
        try tool.expect("remove Wallet")
        #expect(!FileManager.default.fileExists(atPath: tool.tree.root + "/" + folder))
    }

    @Test(
        "No command drops a pair's registrations when the app's manifest contains a mistake",
        arguments: [
            "<<<<<<< HEAD\nPAIR", "<<<<<<< HEAD\nPAIR=======\n>>>>>>> theirs\n",
            "    let\nPAIR",
        ])
    func brokenManifest(lines: String) throws {
        let before = try tool.tree.read(Self.list)
        let pair = "    Pair(\"Business/ModuleB\"),\n"
        try tool.tree.edit("Package.swift", pair, lines.replacing("PAIR", with: pair))
        for command in ["registrations", "new-module Wallet"] {
            try tool.expect(command, 2, "Package.swift:")
        }
        // Only one manifest is checked: SwiftPM does not cache broken manifests, so reading the tree takes seconds.
        for command in ["check", "check --fix"] where lines.hasSuffix("HEAD\nPAIR") {
            let text = try tool.expect(command, 1, ": manifest-read: ")
            #expect(!text.contains("Scripts/modules registrations"), "\(text)")
        }
        #expect(try tool.tree.read(Self.list) == before)
    }

    @Test("In an incomplete tree, an editing command names the missing file")
    func elsewhere() throws {
        let output = try Tool.alone(
            "new-module", "Wallet", "--no-cache", "--root", tool.tree.root + "/Packages", in: "/")
        #expect(output.status == 2)
        #expect(output.standardError.contains(tool.tree.root + "/Packages/Package.swift"))
        #expect(try status() == "")
    }
}
