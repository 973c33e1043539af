import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

@Suite("New files that git ignores")
struct IgnoredFilesTests {
    @Test(
        "The init command names the line that ignores its files, and writes nothing",
        arguments: [true, false], [[:], NewTree.repository])
    func initialised(inRepository: Bool, files: [String: String]) throws {
        let tree = try NewTree(files.merging([".gitignore": "*.log\n/Packages\n/Apps\n"]) { $1 })
        if inRepository { try tree.shell("git init -q") }
        let before = try tree.files()
        try tree.expect(
            "init app --app \(files.isEmpty ? "Acme" : "Old")", 1, "error: .gitignore:", "git ignores ",
            " other new files: the line is '/", "fix:  Remove this line, or add '!/")
        #expect(try tree.files() == before)
        try tree.place.write("app/.gitignore", "*.log\n/Packages\n/Apps\n!/Packages\n!/Apps\n")
        try tree.expect("init app --app \(files.isEmpty ? "Acme" : "Old")")
    }

    @Test(
        "The ignore files of an outer repository, and the user's own one, count for a folder that does not exist"
    )
    func outer() throws {
        let tree = try NewTree()
        try tree.place.write("ignored", "Registrations.swift\n")
        try tree.place.write("outer/.gitignore", "/acme\n")
        try tree.shell("git init -q", in: "outer")
        try tree.expect(
            "init outer/acme --app Acme", 1, "error: .gitignore:1: git ignores .github/workflows/ci.yml and ")
        #expect(!FileManager.default.fileExists(atPath: tree.place.root + "/outer/acme"))
        try tree.place.write(
            "gitconfig",
            tree.place.read("gitconfig") + "[core]\n    excludesFile = \(tree.place.root)/ignored\n")
        try tree.expect(
            "init app --app Acme", 1,
            "/ignored:1: git ignores Apps/Acme/Sources/AppModules/Registrations.swift: ")
    }

    @Test("The new-module command names the line, whatever git ignores besides")
    func newModule() throws {
        let tree = try NewTree()
        try tree.expect("init app --app Acme")
        try tree.shell("git add -A && git commit -qm Start")
        try tree.place.write("app/Packages/.gitignore", "# Old\nGreeting\nWallet\n")
        let before = try tree.files()
        try tree.expect(
            "new-module Wallet", 1, "error: Packages/.gitignore:3: git ignores Packages/Business/Wallet/")
        #expect(try tree.files() == before)
        // Tracked files are not ignored.
        try tree.expect("new-module Purse --calls Greeting")
    }
}
