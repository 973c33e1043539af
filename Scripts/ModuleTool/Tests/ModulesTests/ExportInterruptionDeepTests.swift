import Foundation
import ModuleFixtures
import Testing

/// Kills the built tool before each step of an export, and runs the next export.
@Suite("Killed exports", .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"))
struct ExportInterruptionDeepTests {
    /// Options of the previous and of the killed export, with and without `--git`.
    static let ways: [(before: [String], after: [String])] = [
        ([], []), (["--git"], ["--git"]), ([], ["--git"]),
    ]

    @Test(
        "After an export was killed at any step, the next export gives the same result as a complete one",
        arguments: ways)
    func everyStep(before: [String], after: [String]) throws {
        let small = try SmallExport()
        // The killed export releases a new version of one package and exports another for the first time.
        #expect(try small.export(["Mediator", "ErrorCode"] + before).status == 0)
        try small.tree.edit("VERSIONS.md", "| Mediator | 1.0.0 ", "| Mediator | 1.1.0 ")
        try small.tree.edit(
            "Packages/Base/Mediator/CHANGELOG.md", "## 1.0.0", "## 1.1.0\n\n- More.\n\n## 1.0.0")
        try small.tree.commit("Mediator 1.1.0")
        let next = ["RideActions"] + after
        try small.shell("cp -a . ../start")
        let old = try small.tag()
        #expect(try small.export(next).status == 0)
        let whole = try small.state()
        #expect(whole.keys.contains("RideActions/Package.swift"))

        var (steps, missing) = (0, 0)
        for step in 1... {
            try small.shell("cd .. && rm -r packages && cp -a start packages")
            guard try small.export(next, killedAt: step).status == SIGKILL else { break }
            steps += 1
            #expect(try small.tag() == old || before.isEmpty)
            if !small.has("Mediator") {
                // The next export restores the package, even if it exports only other packages.
                #expect(try small.export(["ErrorCode"] + before).status == 0)
                #expect(small.has("Mediator/Package.swift"), "after step \(step)")
                missing += 1
            }
            let output = try small.export(next)
            #expect(output.status == 0, "after step \(step): \(output.standardError)")
            let state = try small.state()
            let different = Set(whole.keys).union(state.keys).filter { whole[$0] != state[$0] }
            #expect(different.isEmpty, "after step \(step)")
        }
        #expect(steps > 15)
        // Replacing a plain folder moves the old folder away for one step. A repository is never moved.
        #expect(missing == (before.isEmpty ? 1 : 0))
    }
}

extension SmallExport {
    fileprivate func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    /// The commit of Mediator's release 1.0.0, or an empty string if Mediator is not a repository.
    fileprivate func tag() throws -> String {
        try shell("git -C Mediator rev-parse --verify --quiet refs/tags/1.0.0 || true")
    }
}

@Suite("Exports without a git identity")
struct ExportIdentityTests {
    @Test("export --git is refused, and writes nothing, if git has no author for the commits")
    func nobody() throws {
        let small = try SmallExport()
        let refused = try small.export(["ErrorCode", "--git"], user: "nobody")
        #expect(refused.status == 3, "\(refused.standardError)")
        #expect(
            refused.standardError == """
                error: \(small.folder.path)/ErrorCode: git has no name and email for commits.
                  why:  Each release is a commit, and a commit needs an author.
                  fix:  git config --global user.name "Your Name" && git config --global user.email you@example.com

                """)
        #expect(!FileManager.default.fileExists(atPath: small.folder.path))
        #expect(try small.export(["ErrorCode", "--git"]).status == 0)
        // No package has changed, so git needs neither a commit nor an author.
        #expect(try small.export(["ErrorCode", "--git"], user: "nobody").status == 0)
        let before = try small.state()
        #expect(try small.export(["Mediator", "ErrorCode", "--git"], user: "nobody").status == 3)
        #expect(try small.state() == before)
        // The author may be set in the repository's own settings.
        try small.shell("git init --quiet Mediator && git -C Mediator config user.name T")
        #expect(try small.export(["Mediator", "--git"], user: "nobody").status == 3)
        try small.shell("git -C Mediator config user.email t@example.com")
        let own = try small.export(["Mediator", "--git"], user: "nobody")
        #expect(own.status == 0, "\(own.standardError)")
    }
}
