import Foundation
import ModuleFixtures
import Testing

/// The built tool, killed before each thing that an export writes; what the next export makes of it.
@Suite("An export that was killed")
struct ExportInterruptionTests {
    /// How the packages were exported before and are now: without git, with git, from folders on to repositories.
    static let ways: [(before: [String], after: [String])] = [
        ([], []), (["--git"], ["--git"]), ([], ["--git"]),
    ]

    @Test(
        "is completed by the next one, which leaves what an export that nobody killed leaves",
        arguments: ways)
    func everyStep(before: [String], after: [String]) throws {
        let small = try SmallExport()
        // One package goes on to a new version, and one is new.
        #expect(try small.export(["Mediator", "ErrorCode"] + before).status == 0)
        try small.tree.edit("VERSIONS.md", "| Mediator    | 1.0.0 ", "| Mediator    | 1.1.0 ")
        try small.tree.edit("VERSIONS.md", "## Mediator\n", "## Mediator\n\n### 1.1.0\n\n- More.\n")
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
                // Put back by the next export, whatever it exports.
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
        // A repository is never moved away.
        #expect(missing == (before.isEmpty ? 1 : 0))
    }
}

extension SmallExport {
    fileprivate func has(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: folder.appending(path: path).path)
    }

    /// The commit of the release that was there before all that; nothing where there is no repository.
    fileprivate func tag() throws -> String {
        try shell("git -C Mediator rev-parse --verify --quiet refs/tags/1.0.0 || true")
    }
}

@Suite("An export with --git")
struct ExportIdentityTests {
    @Test("is refused where git does not know whose commits they are to be, and then writes nothing")
    func nobody() throws {
        let small = try SmallExport()
        let refused = try small.export(["ErrorCode", "--git"], user: "nobody")
        #expect(refused.status == 3, "\(refused.standardError)")
        #expect(
            refused.standardError == """
                error: \(small.folder.path)/ErrorCode: git does not know who makes its commits.
                  why:  Each release is a commit, and a commit has an author.
                  mend: git config --global user.name "Your Name" && git config --global user.email you@example.com

                """)
        #expect(!FileManager.default.fileExists(atPath: small.folder.path))
        #expect(try small.export(["ErrorCode", "--git"]).status == 0)
        // Nothing is new, so there is nothing to commit.
        #expect(try small.export(["ErrorCode", "--git"], user: "nobody").status == 0)
        let before = try small.state()
        #expect(try small.export(["Mediator", "ErrorCode", "--git"], user: "nobody").status == 3)
        #expect(try small.state() == before)
        // A repository's own settings are enough for it.
        try small.shell("git init --quiet Mediator && git -C Mediator config user.name T")
        #expect(try small.export(["Mediator", "--git"], user: "nobody").status == 3)
        try small.shell("git -C Mediator config user.email t@example.com")
        let own = try small.export(["Mediator", "--git"], user: "nobody")
        #expect(own.status == 0, "\(own.standardError)")
    }
}
