import ModuleFixtures
import ModuleRules
import ModuleTree
import Testing

@Suite("The libraries' versions")
struct VersionLibrariesTests {
    private func findings(_ tree: TemporaryTree) throws -> [Finding] {
        let rules = try RuleBook.rules(named: ["version-libraries"])
        return try RuleBook.findings(of: rules, in: Subject(TreeReader(root: tree.root).read()))
    }

    private func committed() throws -> TemporaryTree {
        let tree = try SmallTree.make()
        try tree.commit("Start")
        return tree
    }

    @Test("have a row for each library, and a library for each row")
    func rows() throws {
        let tree = try committed()
        #expect(try findings(tree) == [])
        try tree.edit("VERSIONS.md", "| ErrorCode   | 1.0.0   |\n", "")
        #expect(try findings(tree).map(\.what) == ["ErrorCode has no row among the libraries"])
        #expect(try findings(tree).first?.mend.contains("| ErrorCode | 1.0.0 |") == true)
        try tree.edit("VERSIONS.md", "| Lifecycle ", "| Errors    | 1.0.0   |\n| Lifecycle ")
        #expect(
            try findings(tree).map(\.what) == [
                "ErrorCode has no row among the libraries",
                "the row's library Errors is no such package of the tree",
            ])
    }

    @Test("never go down, whatever was committed")
    func lowered() throws {
        let tree = try committed()
        try tree.edit("VERSIONS.md", "| Lifecycle   | 1.1.0 ", "| Lifecycle   | 1.0.9 ")
        for _ in 0..<2 {
            #expect(try findings(tree).count == 1)
            #expect(try findings(tree).first?.what.hasPrefix("Lifecycle went down from 1.1.0") == true)
            try tree.commit("Down")
        }
        try tree.edit("VERSIONS.md", "| Lifecycle   | 1.0.9 ", "| Lifecycle   | 1.1.0 ")
        #expect(try findings(tree) == [])
    }
}
