import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// Kills the built tool before one of its steps, and then runs another command.
@Suite("Killed commands", .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"))
struct InterruptionDeepTests {
    /// The commands to run after a killed command. They change the tree only by recovering it.
    static let next = [
        ["graph"], ["affected", "--since", "HEAD"], ["baseline", "--dry-run"], ["recover"],
        ["bump", "ModuleB", "patch", "--note", "x", "--dry-run"],
        ["new-module", "Other", "--dry-run"], ["remove", "ModuleC", "--dry-run"],
    ]

    let tool: Tool

    init() throws { tool = try Tool() }

    /// The hash of the tree's contents, computed by git.
    private func state() throws -> String {
        try tool.shell("git", "add", "--all")
        return try tool.shell("git", "write-tree")
    }

    private func putBack() throws {
        try tool.shell("git", "reset", "--quiet", "--hard")
        try tool.shell("git", "clean", "-dfq")
    }

    private func isPending() -> Bool {
        FileManager.default.fileExists(atPath: tool.folder.path + "/.modules/journal")
    }

    /// Runs a command and kills it before a step.
    ///
    /// - Returns: Whether the command was killed; false when it has fewer steps.
    private func kill(_ arguments: [String], at step: Int) throws -> Bool {
        try tool.run(arguments, environment: ["MODULETOOL_KILL_AT_STEP": "\(step)"]).status == SIGKILL
    }

    /// Commands to kill, each with the stride between the steps at which the command is killed. The tests of
    /// transactions cover every step, in the test process.
    static let killed = [
        (["bump", "ModuleB", "minor", "--note", "x"], 1),
        (["new-module", "Wallet", "--calls", "ModuleA"], 6),
    ]

    @Test(
        "Any later command completes or undoes a killed command, and check refuses the tree until then",
        arguments: killed)
    func everyStep(_ arguments: [String], stride: Int) throws {
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
            if wasPending, count % 5 == 0 {
                for check in ["check", "check-versions"] {
                    let refused = try tool.run(check)
                    #expect(refused.status == 2 && refused.text.isEmpty)
                    #expect(refused.standardError.contains("Scripts/modules recover"))
                }
            }
            let next = Self.next[count % Self.next.count]
            let output = try tool.run(next)
            #expect(output.status < 2, "\(next) after step \(step): \(output.standardError)")
            let says = (next == ["recover"] ? output.text : output.standardError)
            #expect(says.contains("had been interrupted; its changes are now completed.") == wasPending)
            #expect(!isPending())
            outcomes.append(try state())
            #expect([before, after].contains(outcomes[count - 1]), "killed at step \(step), then \(next)")
            try putBack()
        }
        // A kill before the journal is written leaves the old tree, and a later kill leaves the new tree.
        #expect(outcomes.first == before && outcomes.last == after)
        #expect(outcomes == outcomes.filter { $0 == before } + outcomes.filter { $0 == after })
        #expect(outcomes.count > 5)
    }

    @Test("A killed command whose recovery was killed too is completed by a third command")
    func twice() throws {
        let arguments = ["bump", "ModuleB", "minor", "--note", "x"]
        #expect(try tool.run(arguments).status == 0)
        let after = try state()
        try putBack()
        for step in 1... {
            #expect(try kill(arguments, at: 6) && isPending())
            let wasKilled = try kill(["graph"], at: step)
            #expect(try tool.run("affected", "--since", "HEAD").status == 0)
            #expect(try state() == after, "killed at step \(step) of the recovery")
            try putBack()
            if !wasKilled { break }
        }
    }

    @Test(
        "If a file was edited after a command was killed, every command names the file and changes nothing")
    func foreignChange() throws {
        #expect(try kill(["bump", "ModuleB", "patch", "--note", "x"], at: 6) && isPending())
        let theirs = try tool.text("VERSIONS.md") + "\nBy hand.\n"
        try tool.write(theirs, to: "VERSIONS.md")
        for next in Self.next {
            let output = try tool.run(next)
            #expect(output.status == 2)
            #expect(
                output.standardError.hasPrefix("error: VERSIONS.md: 'bump ModuleB patch' was interrupted"))
        }
        #expect(try tool.text("VERSIONS.md") == theirs)
    }
}
