import Foundation
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
            ("new-module Wallet ModuleA", 2), ("remove ModuleA", 1), ("remove Nobody", 2),
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

    @Test(
        "The option --calls takes a list of pairs, and may be repeated",
        arguments: ["ModuleA,ModuleB --calls ModuleC", "ModuleA ModuleB ModuleC", "ModuleA, ModuleB ModuleC"])
    func calls(names: String) throws {
        try tool.expect("new-module Wallet --calls \(names)")
        let manifest = try tool.tree.read("Packages/Business/Wallet/Package.swift")
        for name in ["ModuleA", "ModuleB", "ModuleC"] {
            #expect(manifest.contains(".package(path: \"../\(name)Api\")"), "\(manifest)")
        }
    }

    @Test("A second name before --calls is not taken for the name of a pair to call")
    func secondName() throws {
        try tool.expect("new-module Wallet ModuleA --calls ModuleB", 2, "'ModuleA' is one name too many.")
        try tool.expect("new-module Wallet --call ModuleB", 2, "Unknown option '--call'.")
    }

    @Test("A new module starts above the versions of a removed one with its name")
    func secondStart() throws {
        let row = "| Wallet | 0.1.0 | 0.1.0 | >= 0.1.0 |\n"
        try tool.expect("new-module Wallet")
        try tool.tree.edit("VERSIONS.md", row, "| Wallet | 1.3.0 | 1.2.0 | >= 1.2.0 |\n")
        try tool.tree.commit("Wallet")
        try tool.expect("remove Wallet")
        try tool.tree.commit("No Wallet")
        try tool.expect("new-module Wallet", 0, "WalletApi, 2.0.0.")
        #expect(try tool.tree.read("VERSIONS.md").contains("| Wallet | 2.0.0 | 2.0.0 | >= 2.0.0 |\n"))
        let folder = "Packages/Business/Wallet"
        #expect(try tool.tree.read("\(folder)/Sources/Wallet/WalletModule.swift").contains("\"2.0.0\""))
        #expect(try tool.tree.read("\(folder)Api/CHANGELOG.md").contains("## 2.0.0\n"))
        try tool.expect("check versions", 0, "clean: ")
    }

    @Test("Right after new-module, remove deletes the new files, which contain no work")
    func untouched() throws {
        try tool.expect("new-module Wallet --calls ModuleB,ModuleA")
        try tool.expect("remove Wallet")
        #expect(try status() == "")
        try tool.expect("new-module Wallet --calls ModuleA")
        let module = "Packages/Business/Wallet/Sources/Wallet/WalletModule.swift"
        try tool.tree.edit(module, "/// Registers Wallet.", "/// Registers Wallet, with care.")
        try tool.expect("remove Wallet", 1, "uncommitted work would be lost:\n  \(module)\n  why:")
    }

    @Test("The copy of an IMP is work, also right after new-module")
    func alternative() throws {
        try tool.tree.edit(
            "Packages/Business/Ride/Sources/Ride/RideService.swift", "I am Ride.", "I am a day's work.")
        try tool.expect("new-module RideNight --alternative-to Ride")
        try tool.expect("remove RideNight", 1, "uncommitted work would be lost:", "RideNightService.swift")
    }

    @Test("A second new-module with the name of a pair says that the pair exists")
    func twice() throws {
        try tool.expect(
            "new-module ModuleA", 2, "Packages/Business/ModuleA: the pair ModuleA exists already.",
            "\n  fix:  Choose another name, or remove the pair first: Scripts/modules remove ModuleA\n")
        try tool.expect("new-module PayTypeCashless", 2, "the pair PayTypeCashless exists already.")
        try tool.tree.remove("Packages/Business/HomeApi")
        try tool.expect("new-module Home", 2, "remove what a pair that was removed by hand has left")
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
            "check registrations-current", 1, ": " + line, "\n  fix:  Run: Scripts/modules registrations\n")
        // A fix for a tree that `--root` names must not edit the launcher's tree.
        try tool.expect(
            "check registrations-current", 1,
            "\n  fix:  Run: Scripts/modules registrations --root '\(tool.tree.root)'\n",
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
