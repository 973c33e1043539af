import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

@Suite("Exports that git refuses")
struct ExportRefusedByGitTests {
    @Test("An export is refused, and writes nothing, if git has no author for the commits")
    func nobody() throws {
        let small = try SmallExport()
        let refused = try small.export(["ErrorCode"], user: "nobody")
        #expect(refused.status == 3, "\(refused.standardError)")
        #expect(
            refused.standardError == """
                error: git has no user name or email.
                  why:  Each release is a commit, and a commit needs an author.
                  fix:  Run: git config --global user.name "Your Name" && git config --global user.email you@example.com

                """)
        #expect(!FileManager.default.fileExists(atPath: small.folder.path))
        #expect(try small.export(["ErrorCode"]).status == 0)
        // No package has changed, so git needs neither a commit nor an author.
        #expect(try small.export(["ErrorCode"], user: "nobody").status == 0)
        let before = try small.state()
        #expect(try small.export(["Mediator", "ErrorCode"], user: "nobody").status == 3)
        #expect(try small.state() == before)
    }

    @Test("An export that git fails says so, and leaves no temporary files and no repository")
    func failingGit() throws {
        let small = try SmallExport()
        let real = try #require(Command.path(of: "git", in: ProcessInfo.processInfo.environment["PATH"]))
        // Git ends without reading the files, which are longer than a pipe holds.
        try small.tree.write(
            "Packages/Common/ErrorCode/Sources/ErrorCode/Text.swift",
            "let text = \"" + String(repeating: "-", count: 1 << 20) + "\"\n")
        try small.tree.commit("A long file")
        let git =
            "case \" $* \" in *' fast-import '*) echo 'no space left' >&2; exit 9;; esac; exec \(real) \"$@\""
        let failed = try small.export(["ErrorCode"], git: git)
        #expect(failed.status == 3)
        #expect(failed.standardError.contains("fast-import --quiet --force failed: no space left\n"))
        #expect(try small.leftovers() == [".keep"])
        #expect(!FileManager.default.fileExists(atPath: small.folder.path))
    }
}
