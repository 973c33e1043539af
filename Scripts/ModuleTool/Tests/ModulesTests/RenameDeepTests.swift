import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@Suite(
    "Renaming several pairs, and building a renamed pair",
    .enabled(if: TestLevel.isDeep, "runs with Scripts/test --deep"))
struct RenameDeepTests {
    private static let pairs = [
        "ModuleA",
        // Has an alternative.
        "PayType",
        // Is called in other processes.
        "Gate",
        "Ride",
        // Belongs to a different layer than the others.
        "User",
        // Has a name that is part of many other names.
        "Home",
    ]

    private func contents(_ tool: Tool) throws -> [String: String] {
        try tool.tree.files().filter { !$0.key.hasSuffix("/CHANGELOG.md") }
    }

    @Test(
        "A renamed pair of this repository breaks no rule, and renaming it back restores the tree",
        arguments: pairs)
    func thereAndBack(name: String) throws {
        let tool = try Tool()
        let before = try contents(tool)
        // A name of the same length, so that no line has to be wrapped.
        let new = "Xy" + name.dropFirst(2)
        let output = try tool.run("rename", name, new)
        #expect(output.status == 0, "\(output.standardError)")
        let checked = try tool.run("check", "pairs", "layers", "imports", "registration", "version-table")
        #expect(checked.status == 0, "\(checked.text)")
        let after = try contents(tool)
        let old = try Regex("\\b\(name)(Api|Module|Service|Tests|ApiProtocol)\\b|import \(name)\\b")
        for (path, text) in after
        where path.hasPrefix("Packages/Business") || path.hasPrefix("Packages/Common") {
            #expect(try old.firstMatch(in: path + text) == nil, "\(path)")
        }
        try tool.tree.commit("Renamed")
        #expect(try tool.run("rename", new, name).status == 0)
        let back = try contents(tool)
        for path in Set(before.keys).union(back.keys) { #expect(before[path] == back[path], "\(path)") }
    }

    @Test(
        "The tests of a renamed pair and of a caller pass, and the app builds with both",
        arguments: [("ModuleB", "Greeter")])
    func builds(name: String, new: String) throws {
        let tool = try Tool()
        #expect(try tool.run("rename", name, new).status == 0)
        for command in [
            "swift test --package-path Packages/Business/\(new)",
            "swift test --package-path Packages/Business/ModuleA",
            "swift run --disable-default-traits --traits ModuleA,\(new) Shell --data .data",
        ] {
            let output = try tool.attempt(command)
            #expect(output.status == 0, "\(command)\n\(output.text)\(output.standardError)")
            #expect(!output.text.contains("\(new)Api (absent)"))
        }
    }
}
