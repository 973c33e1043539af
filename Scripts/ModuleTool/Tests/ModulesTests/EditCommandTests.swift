import Foundation
import ModuleTree
import Testing

@Suite("Commands that change files")
struct EditCommandTests {
    let tool: Tool

    init() throws { tool = try Tool() }

    private func status() throws -> String { try tool.tree.run("git", "status", "--porcelain") }

    @Test(
        "Commands exit with 0 on success, 1 for a refused change, and 2 for invalid arguments; a dry run changes nothing"
    )
    func exitCodes() throws {
        let calls: [(String, Int32)] = [
            ("new-module wallet", 2), ("new-module", 2), ("new-module Wallet --layer Core", 2),
            ("new-module Wallet --calls ModuleA ModuleB", 2), ("remove ModuleA", 1), ("remove Nobody", 2),
            ("bump ModuleB patch", 2), ("bump ModuleB huge --note x", 2), ("recover", 0),
            ("new-module Wallet --calls ModuleA --dry-run", 0), ("bump ModuleB minor --note x --dry-run", 0),
        ]
        for (line, status) in calls {
            let output = try tool.run(line.split(separator: " ").map(String.init))
            #expect(output.status == status, "\(output.text)\(output.standardError)")
            #expect(output.standardError.isEmpty == (status == 0))
            #expect(output.text.contains("~ VERSIONS.md\n    ") == line.hasSuffix("--dry-run"))
            #expect(try self.status() == "")
        }
        for line in [
            "new-module Wallet --layer common --calls ModuleA,ModuleB", "bump ModuleB patch --note x",
        ] {
            #expect(try tool.run(line.split(separator: " ").map(String.init)).status == 0)
            #expect(try self.status() != "")
            try tool.tree.commit("Next")
        }
    }

    @Test("Commands that add or remove a pair redraw the diagrams of the tree")
    func diagrams() throws {
        let line = "~ README.md: the diagram of the tree\n"
        try tool.tree.write("Packages/README.md", "No diagram.\n")
        #expect(try !tool.run("new-module", "Wallet").text.contains("diagram"))
        try tool.tree.write("README.md", "```mermaid\n%% Made by: Scripts/modules graph\n```\n")
        try tool.run("graph", "--write", "README.md")
        try tool.tree.commit("Wallet")
        for arguments in [["new-module", "Purse"], ["remove", "Wallet"]] {
            #expect(try tool.run(arguments + ["--dry-run"]).text.contains(line))
            #expect(try tool.run("check", "diagram-current").status == 0)
            #expect(try tool.run(arguments).text.contains(line))
            #expect(try tool.run("check", "diagram-current").status == 0)
        }
        #expect(try tool.tree.read("README.md").contains("Purse"))
        #expect(try !tool.tree.read("README.md").contains("Wallet"))
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
        let manifest = try tool.tree.read("Package.swift")
        #expect(manifest.contains("    Pair(\"Business/Alpha\"),\n    Pair(\"Business/Beta\"),\n"))
        #expect(try tool.run("check", "registrations-current").status == 0)
        try tool.tree.commit("Alpha and Beta")
        #expect(try tool.run("remove", "Alpha").status == 0)
        #expect(try tool.run("remove", "Beta").status == 0)
        #expect(try tool.tree.git("diff", "HEAD~", "--stat") == "")
    }

    @Test("The registrations command updates the Shell's list of modules after an edit of the root manifest")
    func registrations() throws {
        let list = "Apps/Shell/Sources/AppModules/Registrations.swift"
        let (manifest, before) = (try tool.tree.read("Package.swift"), try tool.tree.read(list))
        let pair = try #require(manifest.firstMatch(of: /\n    Pair\("\w+\/(\w+)"\),/))
        try tool.tree.write("Package.swift", manifest.replacing(pair.output.0, with: ""))
        let checked = try tool.run("check", "registrations-current")
        #expect(checked.status == 1)
        #expect(checked.text.contains(": import \(pair.output.1)\n"), "\(checked.text)")
        #expect(checked.text.contains("\n  fix:  Scripts/modules registrations\n"))
        // A fix for a tree that `--root` names must not edit the launcher's tree.
        let other = try tool.run(["check", "registrations-current"], environment: ["MODULETOOL_ROOT": "/"])
        let fix = "\n  fix:  Scripts/modules registrations --root '\(tool.tree.root)'\n"
        #expect(other.text.contains(fix), "\(other.text)")
        #expect(try tool.tree.read(list) == before)
        #expect(try tool.run("registrations").status == 0)
        #expect(try !tool.tree.read(list).contains("import \(pair.output.1)\n"))
        #expect(try tool.run("check", "registrations-current").status == 0)
        try tool.tree.write("Package.swift", manifest)
        #expect(try tool.run("registrations").status == 0)
        #expect(try status() == "")
        #expect(try tool.run("registrations").text == "\(list) is up to date.\n")
    }

    @Test("The remove command refuses to delete files that git could not restore, but deletes build products")
    func unrestorable() throws {
        try tool.run("new-module", "Wallet")
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
        let refused = try tool.run("remove", "Wallet")
        let lost =
            "uncommitted work would be lost:" + ([service] + secrets).sorted().map { "\n  \($0)" }.joined()
        #expect(
            refused.status == 1 && refused.standardError.contains(lost + "\n  why:"),
            "\(refused.standardError)")
        #expect(try tool.tree.read(secrets[1]) == "mine")
        try tool.tree.write(service, made)
        for secret in secrets { try tool.tree.remove(secret) }
        let removed = try tool.run("remove", "Wallet")
        #expect(removed.status == 0, "\(removed.standardError)")
        #expect(!FileManager.default.fileExists(atPath: tool.tree.root + "/" + folder))
    }

    @Test(
        "No command drops a pair's registrations when the app's manifest contains a mistake",
        arguments: [
            "<<<<<<< HEAD\nPAIR", "<<<<<<< HEAD\nPAIR=======\n>>>>>>> theirs\n",
            "    let\nPAIR",
        ])
    func brokenManifest(lines: String) throws {
        let list = "Apps/Shell/Sources/AppModules/Registrations.swift"
        let before = try tool.tree.read(list)
        let pair = "    Pair(\"Business/ModuleB\"),\n"
        try tool.tree.edit("Package.swift", pair, lines.replacing("PAIR", with: pair))
        for arguments in [["registrations"], ["new-module", "Wallet"]] {
            let output = try tool.run(arguments)
            #expect(output.status == 2, "\(arguments): \(output.text)")
            #expect(output.standardError.contains("Package.swift:"), "\(output.standardError)")
        }
        // Only one manifest is checked: SwiftPM does not cache broken manifests, so reading the tree takes seconds.
        for arguments in [["check"], ["check", "--fix"]] where lines.hasSuffix("HEAD\nPAIR") {
            let output = try tool.run(arguments)
            #expect(output.status == 1, "\(output.standardError)")
            #expect(output.text.contains(": manifest-read: "))
            #expect(!output.text.contains("Scripts/modules registrations"), "\(output.text)")
        }
        #expect(try tool.tree.read(list) == before)
    }

    @Test("In an incomplete tree, an editing command names the missing file")
    func elsewhere() throws {
        let output = try Command.run(
            [Tool.path(), "new-module", "Wallet", "--no-cache", "--root", tool.tree.root + "/Packages"],
            in: "/")
        #expect(output.status == 2)
        #expect(output.standardError.contains(tool.tree.root + "/Packages/Package.swift"))
        #expect(try status() == "")
    }
}
