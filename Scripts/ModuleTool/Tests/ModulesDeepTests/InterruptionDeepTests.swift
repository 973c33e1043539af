import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

/// Kills the built tool before one of its steps, and then runs another command.
@Suite("Killed commands")
struct InterruptionDeepTests {
    /// The commands that undo a killed command. They change nothing else.
    static let undoing = [["recover"], ["remove", "Nobody"]]

    /// The commands that refuse a half-edited tree.
    static let refusing = [
        ["graph"], ["affected", "--since", "HEAD"], ["baseline", "--dry-run"], ["check"],
        ["new-module", "Other", "--dry-run"],
    ]

    let tool: Tool

    init() throws { tool = try Tool() }

    /// The hash of the tree's contents, computed by git.
    private func state() throws -> String {
        try tool.tree.run("git", "add", "--all")
        return try tool.tree.run("git", "write-tree")
    }

    private func putBack() throws {
        try tool.tree.run("git", "reset", "--quiet", "--hard")
        try tool.tree.run("git", "clean", "-dfq")
    }

    private func isPending() -> Bool {
        FileManager.default.fileExists(atPath: tool.tree.root + "/.modules/edit/journal.json")
    }

    /// Runs a command and kills it before a step.
    ///
    /// - Returns: Whether the command was killed; false when it has fewer steps.
    private func kill(_ arguments: [String], at step: Int) throws -> Bool {
        try tool.run(arguments, environment: ["MODULETOOL_KILL_AT_STEP": "\(step)"]).status == SIGKILL
    }

    /// Commands to kill. Each is killed at every n-th step, where n is the stride. The transaction tests cover
    /// every step, but run in the test process.
    static let killed = [
        (["bump", "ModuleB", "minor", "--note", "x"], 1),
        (["new-module", "Wallet", "--calls", "ModuleA"], 6),
    ]

    @Test(
        "The recover command and editing commands undo a killed command, and all other commands reject the tree"
    )
    func everyStep() throws {
        for (arguments, stride) in Self.killed {
            try putBack()
            let before = try state()
            #expect(try tool.run(arguments).status == 0)
            let after = try state()
            #expect(before != after)
            try putBack()
            var outcomes: [String] = []
            for count in 1... {
                let step = (count - 1) * stride + 1
                guard try kill(arguments, at: step) else { break }
                let wasPending = isPending()
                if wasPending {
                    let refused = try tool.run(Self.refusing[count % Self.refusing.count])
                    #expect(refused.status == 2 && refused.text.isEmpty)
                    #expect(refused.standardError.contains("Scripts/modules recover"))
                    #expect(isPending())
                }
                let output = try tool.run(Self.undoing[count % 2])
                let says = output.text + output.standardError
                #expect(says.contains("was interrupted; its changes have been undone.") == wasPending)
                #expect(!isPending())
                outcomes.append(try state())
                #expect([before, after].contains(outcomes[count - 1]), "killed at step \(step)")
                try putBack()
            }
            // The command is complete as soon as its last change is made.
            #expect(outcomes.first == before && (outcomes.last == after || stride > 1))
            #expect(outcomes == outcomes.filter { $0 == before } + outcomes.filter { $0 == after })
            #expect(outcomes.count > 3)
        }
    }
}

@Suite("Killed init commands")
struct InitInterruptionDeepTests {
    @Test(
        "The next init command undoes a killed one, in a new folder and in a repository",
        arguments: [[:], NewTree.repository])
    func killed(files: [String: String]) throws {
        let (tree, other) = (try NewTree(files), try NewTree(files))
        let arguments = ["init", "app"] + (files.isEmpty ? ["--app", "Acme"] : [])
        #expect(try other.run(arguments).status == 0)
        let after = try other.files().filter { $0.key != "Scripts/modules" }
        var kills = 0
        for step in stride(from: 2, through: 1000, by: 37) {
            let output = try tree.run(arguments, "MODULETOOL_KILL_AT_STEP=\(step)")
            guard output.status == SIGKILL else { break }
            kills += 1
        }
        #expect(kills > 2)
        #expect(try tree.files().filter { $0.key != "Scripts/modules" } == after)
        try tree.expect("check", 0, "clean: ")
    }
}
