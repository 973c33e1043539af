import ModuleFixtures
import ModuleRules
import ModuleTree
import Testing

@Suite("Rules about libraries' versions")
struct VersionLibrariesTests {
    private func findings(_ tree: TemporaryTree) throws -> [Finding] {
        let rules = try RuleBook.rules(named: ["version-libraries", "version-lowered"])
        return try RuleBook.findings(of: rules, in: RuleContext(TreeReader(root: tree.root).read()))
    }

    private func committed() throws -> TemporaryTree {
        let tree = try SmallTree.make()
        try tree.commit("Start")
        return tree
    }

    @Test("A library without a row and a row without a library are reported")
    func rows() throws {
        let tree = try committed()
        #expect(try findings(tree) == [])
        try tree.edit("VERSIONS.md", "| ErrorCode | 1.0.0 |\n", "")
        #expect(try findings(tree).map(\.what) == ["ErrorCode has no row among the libraries"])
        #expect(try findings(tree).first?.fix.contains("| ErrorCode | 1.0.0 |") == true)
        try tree.edit("VERSIONS.md", "| Lifecycle ", "| Errors | 1.0.0 |\n| Lifecycle ")
        #expect(
            try findings(tree).map(\.what) == [
                "ErrorCode has no row among the libraries",
                "the row's library Errors is not a library of the tree",
            ])
    }

    @Test("A library's lowered version is reported, committed or not")
    func lowered() throws {
        let tree = try committed()
        try tree.edit("VERSIONS.md", "| Lifecycle | 1.1.0 ", "| Lifecycle | 1.0.9 ")
        for _ in 0..<2 {
            #expect(try findings(tree).count == 1)
            #expect(try findings(tree).first?.what.hasPrefix("Lifecycle went down from 1.1.0") == true)
            try tree.commit("Down")
        }
        try tree.edit("VERSIONS.md", "| Lifecycle | 1.0.9 ", "| Lifecycle | 1.1.0 ")
        #expect(try findings(tree) == [])
    }

    /// The findings of the rule `version-raised`.
    private func raised(_ tree: TemporaryTree, since: String? = nil) throws -> [Finding] {
        let rules = try RuleBook.rules(named: ["version-raised"])
        return try RuleBook.findings(
            of: rules, in: RuleContext(TreeReader(root: tree.root).read(), since: since))
    }

    @Test(
        "A library with changed sources and an unchanged version is reported, in all layers and for facades",
        arguments: [
            ("Common", "ErrorCode", "1.0.0"), ("Base", "Lifecycle", "1.1.0"),
            ("Common", "RideActions", "1.0.0"),
        ])
    func sources(_ layer: String, _ name: String, _ version: String) throws {
        let tree = try committed()
        let package = "Packages/\(layer)/\(name)"
        try tree.write("\(package)/Sources/\(name)/New.swift", "// new\n")
        func isFound(since: String? = nil) throws -> Bool {
            let found = try raised(tree, since: since)
            #expect(found.count <= 1)
            #expect(found.allSatisfy { $0.what.hasPrefix("\(name)'s sources changed since ") })
            #expect(found.allSatisfy { $0.fix.contains("Scripts/modules bump \(name) patch --note") })
            #expect(found.allSatisfy { $0.place.path == "VERSIONS.md" && $0.place.line > 1 })
            return !found.isEmpty
        }
        #expect(try isFound())
        try tree.commit("Changed")
        #expect(try isFound())
        #expect(try isFound(since: "HEAD~1"))
        #expect(try !isFound(since: "HEAD"))
        let row = try #require(
            try tree.read("VERSIONS.md").split(separator: "\n").first { $0.hasPrefix("| \(name) ") })
        try tree.edit("VERSIONS.md", String(row), "| \(name) | \(version.dropLast())1 |")
        #expect(try !isFound())
        try tree.commit("Raised")
        #expect(try !isFound())
        #expect(try !isFound(since: "HEAD~2"))
    }

    @Test("Changed tests, manifests and documents of a library need no new version")
    func silent() throws {
        let tree = try committed()
        try tree.write("Packages/Base/Lifecycle/Tests/LifecycleTests/New.swift", "// new\n")
        try tree.write("Packages/Base/Lifecycle/README.md", "New.\n")
        try tree.edit("Packages/Base/Lifecycle/Package.swift", "let package", "// A word.\nlet package")
        #expect(try raised(tree) == [])
        try tree.commit("Changed")
        #expect(try raised(tree) == [])
        #expect(try findings(tree) == [])
    }
}
