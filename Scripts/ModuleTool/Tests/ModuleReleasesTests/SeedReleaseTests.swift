import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

/// The example of seed 1, section 6: ModuleA is updated from 1.0.0 to 2.0.0.
@Suite("ModuleA from 1.0.0 to 2.0.0")
struct SeedReleaseTests {
    private let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.installLaunchers()
        try tool.tree.git("tag", "v1.0.0")
        try tool.tree.commit("After the release of 1.0.0")
    }

    private static let row = "| ModuleA | 1.0.0 | 1.0.0 | >= 1.0.0 |"

    /// The rules about versions that are broken, one per finding.
    private func broken() throws -> [String] {
        try tool.run("check", "versions").text.matches(of: #/(?m)^\S+: (version-[a-z-]+): /#).map {
            String($0.1)
        }
    }

    @Test("The README shows the commands and what they write, and the tree is clean afterwards")
    func readme() throws {
        let readme = try HouseFiles.text("Scripts/ModuleTool/README.md")
        let block = try #require(readme.firstMatch(of: /```console\n((?s:.*?))```/)?.1)
        let day = Date.now.formatted(.iso8601.year().month().day())
        for step in block.split(separator: "$ ") {
            let (command, output) = (step.prefix { $0 != "\n" }, step.drop { $0 != "\n" }.dropFirst())
            let expected = output.replacing(#/ - \d{4}-\d\d-\d\d/#, with: " - " + day)
            let printed = try tool.attempt(String(command))
            #expect(printed.text.contains(expected) && printed.status == 0, "\(command)\n\(printed.text)")
        }
        #expect(try broken() == [])
        try tool.tree.commit("ModuleA 2.0.0")
        #expect(try broken() == [])
        let module = try tool.tree.read("Packages/Business/ModuleA/Sources/ModuleA/ModuleAModule.swift")
        #expect(module.contains("version = \"2.0.0\""))
    }

    @Test(
        "A release by hand that forgets the Api, the floor or the note is reported",
        arguments: [
            ("| ModuleA | 1.0.0 | 2.0.0 | >= 2.0.0 |", ["version-table"]),
            ("| ModuleA | 2.0.0 | 2.0.0 | >= 1.0.0 |", ["version-table", "version-notes"]),
            ("| ModuleA | 2.0.0 | 2.0.0 | >= 2.0.0 |", ["version-notes"]),
        ])
    func byHand(_ row: String, _ expected: [String]) throws {
        try tool.tree.edit("VERSIONS.md", Self.row, row)
        try tool.tree.edit(
            "Packages/Business/ModuleA/Sources/ModuleA/ModuleAModule.swift", "\"1.0.0\"", "\"2.0.0\"")
        let found = try broken()
        #expect(Set(expected).isSubset(of: found), "\(found)")
    }

    @Test("An IMP that changed needs a note or a version, even if no protocol changed")
    func unchanged() throws {
        let file = "Packages/Business/ModuleA/Sources/ModuleA/ModuleAModule.swift"
        try tool.tree.write(file, try tool.tree.read(file) + "\nprivate let more = 1\n")
        #expect(try broken() == ["version-raised"])
        let notes = "Packages/Business/ModuleAApi/CHANGELOG.md"
        try tool.tree.edit(notes, "# Changelog\n", "# Changelog\n\n## Unreleased\n\n- ModuleA is faster.\n")
        #expect(try broken() == [])
        let released = try tool.run("release")
        #expect(released.text.contains("Raised ModuleAApi 1.0.0 -> 1.0.1"), "\(released.text)")
        #expect(try tool.tree.read("VERSIONS.md").contains("| ModuleA | 1.0.1 | 1.0.1 | >= 1.0.1 |"))
        #expect(try broken() == [])
    }
}
