import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("Ctrl-C")
struct InterruptionTests {
    private static let sentence = "modules: interrupted; nothing was changed.\n"

    private func interrupted(at step: Int) -> [String: String] {
        ["MODULETOOL_INTERRUPT_AT_STEP": "\(step)"]
    }

    @Test(
        "An interrupted command says that it has changed nothing, and leaves nothing",
        arguments: [0, 1, 9, 15])
    func edits(step: Int) throws {
        let tool = try Tool()
        let before = try tool.tree.files()
        let output = try Tool.acceptingSignals {
            try tool.run(["new-module", "Wallet"], environment: interrupted(at: step))
        }
        #expect(output.status == 130)
        #expect(output.standardError == Self.sentence)
        #expect(!output.text.contains("Added"))
        #expect(try tool.tree.files() == before)
        #expect(!FileManager.default.fileExists(atPath: tool.tree.root + "/.modules/edit"))
    }

    @Test("A command that has made its changes is complete, whenever the interruption comes")
    func late() throws {
        let tool = try Tool()
        let output: Command.Output? = try Tool.acceptingSignals {
            for step in 12...100 {
                let output = try tool.run(["new-module", "Wallet"], environment: interrupted(at: step))
                if output.status != 130 { return output }
            }
            return nil
        }
        #expect(output?.status == 0 && output?.text.contains("\nAdded Wallet: ") == true, "\(output as Any)")
        try tool.expect("check registration pairs", 0, "clean: ")
    }

    @Test("An interruption after the fixes of check ends the command before it checks")
    func lateFixes() throws {
        let tool = try Tool()
        try tool.tree.edit("Package.swift", "    Pair(\"Business/ModuleB\"),\n", "")
        let output: Command.Output? = try Tool.acceptingSignals {
            for step in 0...100 {
                let output = try tool.run(["check", "--fix"], environment: interrupted(at: step))
                if output.standardError != Self.sentence { return output }
            }
            return nil
        }
        #expect(output?.status == 130 && output?.text.contains("Fixed 1 file.") == true, "\(output as Any)")
        #expect(
            output?.standardError
                == "modules: interrupted; the fixes were made, and the tree was not checked.\n")
        try tool.expect("check", 0, "clean: ")
    }

    @Test("An interrupted init leaves the folder as it was")
    func initialising() throws {
        let tree = try NewTree()
        let output = try Tool.acceptingSignals {
            try tree.run(["init", "app", "--app", "Acme"], "MODULETOOL_INTERRUPT_AT_STEP=40")
        }
        #expect(output.status == 130 && output.standardError == Self.sentence)
        #expect(try tree.files().keys.filter { !$0.hasPrefix(".modules/") } == [])
        try tree.expect("init app --app Acme", 0, "Created the app Acme")
        // The script that init writes, while it fetches the tool.
        try tree.place.write("bin/git", "#!/bin/sh\nkill -INT $PPID\nexit 1\n")
        let script = try Tool.acceptingSignals {
            try tree.shell(
                "chmod +x ../bin/git; (PATH=$PWD/../bin:$PATH XDG_CACHE_HOME=$PWD/../empty Scripts/modules 2>&1; echo $?); "
                    + "ls ../empty/moduletool/sources")
        }
        #expect(script == "modules: interrupted; the next start fetches the tool again.\n130\n", "\(script)")
    }

    @Test(
        "check says that a command was killed before it changed the tree, and recover removes what it has left"
    )
    func remains() throws {
        let tool = try Tool()
        try tool.tree.write(".modules/edit/new-0", "staged")
        try tool.expect("check", 0, "note: a command was interrupted", "Scripts/modules recover", "clean: ")
        try tool.expect(
            "recover", 0, "had not changed the tree yet; its temporary files have been removed.\n")
        #expect(try !tool.expect("check").contains("note:"))
    }
}
