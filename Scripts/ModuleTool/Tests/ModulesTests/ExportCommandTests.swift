import Foundation
import ModuleFixtures
import Testing

@Suite("The export command")
struct ExportCommandTests {
    private let tool: Tool

    init() throws { tool = try Tool(in: SmallTree.withOneCommit()) }

    @Test(
        "For a tree that breaks a rule, also one about generated text, export prints the findings and writes nothing"
    )
    func brokenTree() throws {
        try tool.tree.write("Packages/Business/Journey/Sources/Journey/Broken.swift", "import Ride\n")
        try tool.tree.write("README.md", "```mermaid\n%% Made by: Scripts/modules graph\n```\n")
        let folder = tool.tree.root + ".cache/packages"
        try tool.expect(
            "export --to \(folder)", 1, "imp-hidden", "diagram-current", "Nothing was exported.")
        #expect(!FileManager.default.fileExists(atPath: folder))
    }

    @Test(
        "The export command exits with 2 for invalid arguments, and for a folder inside the tree",
        arguments: [
            ("", "--to"), ("--to /x Nobody", "Nobody"), ("--to /x --url nowhere", "nowhere"),
            ("--to ROOT", "this folder is inside the tree."),
            ("--to ROOT/Packages", "this folder is inside the tree."),
            ("--to ROOT/Packages/../new", "this folder is inside the tree."),
        ])
    func usage(_ arguments: String, _ message: String) throws {
        try tool.expect("export " + arguments.replacing("ROOT", with: tool.tree.root), 2, message)
    }
}
