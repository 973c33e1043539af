import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("Exports without a git identity")
struct ExportIdentityTests {
    @Test("An export is refused, and writes nothing, if git has no author for the commits")
    func nobody() throws {
        let small = try SmallExport()
        let refused = try small.export(["ErrorCode"], user: "nobody")
        #expect(refused.status == 3, "\(refused.standardError)")
        #expect(
            refused.standardError == """
                error: git has no user name or email.
                  why:  Each release is a commit, and a commit needs an author.
                  fix:  git config --global user.name "Your Name" && git config --global user.email you@example.com

                """)
        #expect(!FileManager.default.fileExists(atPath: small.folder.path))
        #expect(try small.export(["ErrorCode"]).status == 0)
        // No package has changed, so git needs neither a commit nor an author.
        #expect(try small.export(["ErrorCode"], user: "nobody").status == 0)
        let before = try small.state()
        #expect(try small.export(["Mediator", "ErrorCode"], user: "nobody").status == 3)
        #expect(try small.state() == before)
    }
}
