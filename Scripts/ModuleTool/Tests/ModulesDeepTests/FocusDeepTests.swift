import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("Builds of a focus")
struct FocusDeepTests {
    @Test("SwiftPM can test and run a focus of this repository, and refuses to build a stale focus")
    func built() throws {
        let tool = try Tool(in: WholeTree.make())
        func run(_ command: String) throws -> Command.Output {
            try Command.run(["bash", "-c", command + " 2>&1"], in: tool.tree.root)
        }
        #expect(try tool.run("focus", "ModuleA").status == 0)
        let tests = try run("swift test --package-path .modules/in-focus")
        #expect(
            tests.status == 0 && tests.text.contains(/Test run with [1-9]\d* tests?.* passed/),
            "\(tests.text)")
        #expect(!tests.text.contains("warning:"), "\(tests.text)")
        let shell = try run("swift run --package-path .modules/in-focus Shell --data .data")
        #expect(shell.status == 0 && shell.text.contains("ModuleA -> ModuleBApi (absent)"), "\(shell.text)")
        let compiled = shell.text + tests.text
        #expect(compiled.contains("Compiling ModuleA ") && !compiled.contains("Compiling ModuleB "))

        try tool.tree.write("Package.swift", tool.tree.read("Package.swift") + "// Changed.\n")
        let stale = try run("swift build --package-path .modules/in-focus")
        #expect(
            stale.status != 0 && stale.text.contains("has changed. Run: Scripts/modules focus"),
            "\(stale.text)")
        // A command that edits the tree makes the package again.
        #expect(try tool.run("new-module", "Wallet").status == 0)
        #expect(try tool.run("focus", "--all").status == 0)
        let all = try run("swift run --package-path .modules/in-focus Shell --data .data")
        #expect(all.status == 0 && all.text.contains("ModuleA -> ModuleBApi"), "\(all.text)")
        #expect(!all.text.contains("(absent)"), "\(all.text)")
        #expect(all.text.contains("Compiling Wallet ") && !all.text.contains("warning:"), "\(all.text)")
    }
}
