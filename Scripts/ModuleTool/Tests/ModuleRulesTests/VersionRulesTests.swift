import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

@Suite("Rules about the release table")
struct VersionTableTests {
    @Test(
        "A wrong row in the release table is reported",
        arguments: [
            ("| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |\n", "", "Ride has no row"),
            ("| >= 1.1.0 |", "| >= 1.0.0 |", "floor"),
            ("| >= 1.1.0 |", "| 1.1.0 |", "floor"),
            ("| Ride | 1.2.0 |", "| Ride | 1.0.0 |", "below its IMP"),
            ("| Ride | 1.2.0 |", "| Ride | 1.2 |", "1.2"),
            ("| Journey | 1.0.0", "| Tour | 1.0.0", "below the row of Tour"),
            ("| Ride |", "| Rides |", "Rides is not an IMP"),
        ])
    func table(_ old: String, _ new: String, _ expected: String) throws {
        let tree = try SmallTree.make()
        try tree.edit("VERSIONS.md", old, new)
        let findings = try tree.findings("version-table")
        #expect(findings.contains { $0.what.contains(expected) })
        #expect(findings.allSatisfy { $0.place.path == "VERSIONS.md" })
    }

    @Test(
        "One wrong cell in the release table causes exactly one finding",
        arguments: [
            ("| >= 1.1.0 |", "| >= 1.0.0 |"), ("| >= 1.1.0 |", "| >= 1.2.0 |"), ("| >= 1.1.0 |", "| 1.1.0 |"),
            ("| >= 1.1.0 |", "| >= 1.1 |"), ("| >= 1.1.0 |", "|  |"), ("| >= 1.1.0 |", "|"),
            ("| Ride | 1.2.0 |", "| Ride | 1.2 |"), ("| 1.1.0 | >=", "| 1.1 | >="),
            ("| Lifecycle | 1.1.0 |", "| Lifecycle | 1.1 |"),
        ])
    func once(_ old: String, _ new: String) throws {
        let tree = try SmallTree.make()
        try tree.edit("VERSIONS.md", old, new)
        try tree.commit("A slip")
        #expect(try tree.findings("versions").count == 1)
    }

    @Test("A tree of pairs without a release table is reported")
    func noTable() throws {
        let tree = try SmallTree.make()
        try tree.remove("VERSIONS.md")
        #expect(try tree.findings("versions").map(\.rule) == ["version-table"])
    }

    @Test("A module whose version differs from the release table is reported")
    func inCode() throws {
        let tree = try SmallTree.make()
        let file = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
        try tree.edit(file, "\"1.1.0\"", "\"1.0.9\"")
        #expect(try tree.findings("version-in-code").map(\.place.description) == ["\(file):6:16"])
    }

    @Test(
        "A requirement between modules that is not a floor is reported",
        arguments: [
            ("exact: \"1.0.0\"", true), ("branch: \"main\"", true), ("revision: \"abc\"", true),
            (".upToNextMinor(from: \"1.2.0\")", true), ("\"1.0.0\"...\"1.4.0\"", true),
            ("\"1.0.0\"..<\"1.4.0\"", true),
            ("from: \"1.0.0\"", false), ("\"1.0.0\"..<\"3.0.0\"", false),
        ])
    func floors(_ requirement: String, _ isWrong: Bool) throws {
        for required in ["JourneyApi", "ApiCenter", "Elsewhere"] {
            let tree = try SmallTree.make()
            try tree.edit(
                "Packages/Business/Ride/Package.swift", "    dependencies: [\n",
                "    dependencies: [\n        .package(url: \"https://github.com/o/\(required)\", \(requirement)),\n"
            )
            let isFound = isWrong && required != "Elsewhere"
            #expect(try tree.findings("version-floors").count == (isFound ? 1 : 0), "\(required)")
        }
    }
}

@Suite("Rules about releases")
struct ReleaseTests {
    private static let ride = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
    private static let rideApi = "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift"
    private static let row = "| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |"
    private static let rules = ["version-lowered", "version-raised", "version-step", "version-deprecation"]

    private func committed() throws -> TemporaryTree {
        let tree = try SmallTree.make()
        try tree.commit("First state")
        return tree
    }

    /// The identifiers of the violated rules, one per finding.
    private func rules(_ tree: TemporaryTree, since: String? = nil) throws -> [String] {
        let subject = RuleContext(try TreeReader(root: tree.root).read(), since: since)
        return try RuleBook.findings(of: try RuleBook.rules(named: Self.rules), in: subject).map(\.rule)
    }

    private func raise(_ tree: TemporaryTree, _ api: String, _ imp: String) throws {
        let line = try #require(
            try tree.read("VERSIONS.md").split(separator: "\n").first { $0.hasPrefix("| Ride ") })
        try tree.edit("VERSIONS.md", String(line), "| Ride | \(api) | \(imp) | >= \(imp) |")
    }

    @Test("Changed tests, manifests and notes of a pair need no new version")
    func silent() throws {
        let tree = try committed()
        try tree.edit(
            "Packages/Business/Ride/Tests/RideTests/RideTests.swift", "import Testing", "import Testing\n")
        try tree.edit("Packages/Business/Ride/Package.swift", "let package", "// A word.\nlet package")
        try tree.edit("VERSIONS.md", "# Versions", "# All versions")
        #expect(try rules(tree) == [])
        try tree.commit("Second state")
        #expect(try rules(tree) == [])
        #expect(try rules(tree, since: "HEAD~1") == [])
    }

    @Test("Sources that changed after their version was set are reported, committed or not")
    func raised() throws {
        let tree = try committed()
        try tree.write("Packages/Business/Ride/Sources/Ride/New.swift", "// new\n")
        #expect(try rules(tree) == ["version-raised"])
        try tree.commit("New file")
        #expect(try rules(tree) == ["version-raised"])
        #expect(try rules(tree, since: "HEAD~1") == ["version-raised"])
        #expect(try rules(tree, since: "HEAD") == [])
        try raise(tree, "1.2.1", "1.1.1")
        #expect(try rules(tree) == [])
        try tree.commit("Ride 1.1.1")
        #expect(try rules(tree) == [])
        // A file that was added and removed again is not a change.
        try tree.write("Packages/Business/Ride/Sources/Ride/Other.swift", "")
        try tree.commit("There")
        try tree.remove("Packages/Business/Ride/Sources/Ride/Other.swift")
        try tree.commit("Gone")
        #expect(try rules(tree) == [])
    }

    @Test("A new source or resource needs a new version, unless git ignores it")
    func newFiles() throws {
        let tree = try committed()
        try tree.write(".gitignore", "*.log\n")
        try tree.commit("Ignore")
        try tree.write("Packages/Business/Ride/Sources/Ride/build.log", "x")
        try tree.write("Packages/Business/Ride/README.md", "x")
        try tree.write("Packages/Business/Ride/Tests/RideTests/New.swift", "")
        #expect(try rules(tree) == [])
        try tree.write("Packages/Business/Ride/Sources/Ride/Resources/strings.json", "{}")
        #expect(try rules(tree) == ["version-raised"])
        try tree.commit("A resource")
        #expect(try rules(tree) == ["version-raised"])
    }

    @Test("For a version that never changed, sources are compared with the commit that introduced it")
    func firstCommit() throws {
        let tree = try TemporaryTree([:])
        try tree.write("README.md", "Nothing yet.\n")
        try tree.commit("Before all packages")
        for (path, text) in SmallTree.files { try tree.write(path, text) }
        try tree.commit("Everything")
        #expect(try rules(tree) == [])
        try tree.write("Packages/Business/Ride/Sources/Ride/New.swift", "")
        try tree.commit("More")
        #expect(try rules(tree) == ["version-raised"])
    }

    @Test("A version that was raised only in the code is reported by version-in-code alone")
    func saidInCode() throws {
        let tree = try committed()
        try tree.edit(Self.ride, "\"1.1.0\"", "\"1.1.1\"")
        let found = try tree.findings("versions")
        #expect(found.map(\.rule) == ["version-in-code"])
        #expect(found.first?.fix.contains("bump Ride") == true)
        // Any other change in the same file needs a raised version as well.
        try tree.edit(Self.ride, "[] }", "[RideCode(text: \"x\")] }")
        #expect(Set(try tree.findings("versions").map(\.rule)) == ["version-in-code", "version-raised"])
        try tree.edit(Self.ride, "\"1.1.1\"", "\"1.1.0\"")
        #expect(try rules(tree) == ["version-raised"])
    }

    @Test("Lowered versions and an IMP that was raised without its Api are reported")
    func halves() throws {
        let tree = try committed()
        try raise(tree, "1.2.0", "1.2.0")
        #expect(try rules(tree) == ["version-raised"])
        try tree.commit("IMP alone")
        #expect(try rules(tree) == ["version-raised"])
        try raise(tree, "1.1.0", "1.1.0")
        #expect(try rules(tree) == ["version-lowered", "version-lowered"])
        try tree.commit("Down")
        #expect(try rules(tree) == ["version-lowered", "version-lowered"])
    }

    /// An edit of RideApi, and the rules that have findings after a patch, a minor and a major step.
    struct ApiEdit: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let old: String
        let new: String
        let patch: [String]
        let minor: [String]
        let major: [String]
    }

    @Test(
        "The required version step of an Api depends on how its change affects callers",
        arguments: [
            ApiEdit(
                testDescription: "a comment", old: "/// A code", new: "/// The code", patch: [], minor: [],
                major: []),
            ApiEdit(
                testDescription: "a new type", old: "public enum RideRoute",
                new: "public struct A {}\npublic enum RideRoute",
                patch: ["version-step"], minor: [], major: []),
            ApiEdit(
                testDescription: "a requirement without a default", old: "-> [RideCode]\n",
                new: "-> [RideCode]\n    func two()\n", patch: ["version-step"], minor: ["version-step"],
                major: []),
            ApiEdit(
                testDescription: "a requirement with a default", old: "-> [RideCode]\n}",
                new: "-> [RideCode]\n    func two()\n}\nextension RideApiProtocol { public func two() {} }",
                patch: ["version-step"], minor: [], major: []),
            ApiEdit(
                testDescription: "a changed route name", old: "\"ride_vc\"", new: "\"ride_page\"",
                patch: ["version-step"], minor: ["version-step"], major: []),
            ApiEdit(
                testDescription: "a reformatted constant", old: "main = \"ride_vc\"",
                new: "main: String = // as it was\n        \"ride_vc\"", patch: [], minor: [], major: []),
            ApiEdit(
                testDescription: "a removal", old: "    public static let main = \"ride_vc\"\n", new: "",
                patch: ["version-deprecation", "version-step"],
                minor: ["version-deprecation", "version-step"],
                major: ["version-deprecation"]),
        ])
    func steps(_ edit: ApiEdit) throws {
        let tree = try committed()
        try tree.edit(Self.rideApi, edit.old, edit.new)
        for (version, expected) in [("1.2.1", edit.patch), ("1.3.0", edit.minor), ("2.0.0", edit.major)] {
            try raise(tree, version, "1.1.0")
            #expect(try rules(tree) == expected, "uncommitted \(version)")
            #expect(try rules(tree, since: "HEAD") == expected, "since, \(version)")
        }
        // The finding remains after a commit.
        try raise(tree, "1.2.1", "1.1.0")
        try tree.commit("Api 1.2.1")
        #expect(try rules(tree) == edit.patch)
    }

    @Test("A change on another platform needs a step, and an Api need not compile to be compared")
    func otherPlatform() throws {
        let tree = try committed()
        try tree.edit(
            Self.rideApi, "-> [RideCode]\n",
            "-> [RideCode]\n    #if os(iOS) || os(Linux)\n    func scan() -> Nowhere\n    #endif\n")
        #expect(try rules(tree) == ["version-step"])
        try raise(tree, "2.0.0", "1.1.0")
        #expect(try rules(tree) == [])
    }

    @Test("A changed Api whose version was not raised is reported")
    func unraisedApi() throws {
        let tree = try committed()
        try tree.edit(Self.rideApi, "public enum RideRoute", "public struct A {}\npublic enum RideRoute")
        try tree.commit("More")
        #expect(try rules(tree) == ["version-step"])
    }

    @Test("A declaration that the previous release deprecated may be removed")
    func deprecated() throws {
        let tree = try committed()
        let line = "    public static let main = \"ride_vc\"\n"
        try tree.edit(Self.rideApi, line, "    @available(*, deprecated, message: \"gone soon\")\n" + line)
        try raise(tree, "1.3.0", "1.1.0")
        try tree.commit("Deprecated")
        #expect(try rules(tree) == [])
        try tree.edit(Self.rideApi, "    @available(*, deprecated, message: \"gone soon\")\n" + line, "")
        try raise(tree, "2.0.0", "1.1.0")
        #expect(try rules(tree) == [])
        try tree.commit("Removed")
        #expect(try rules(tree) == [])
    }

    @Test("A missing git history, an unknown revision and a shallow clone are errors")
    func environment() throws {
        let plain = try SmallTree.make()
        #expect(throws: TreeError.self) { try rules(plain) }
        let tree = try committed()
        try tree.commit("More")
        let missing = #expect(throws: TreeError.self) { try rules(tree, since: "nowhere") }
        #expect(missing?.kind == .environment)
        let shallow = try TemporaryTree([:])
        try tree.git("clone", "-q", "--depth", "1", "file://" + tree.root, shallow.root)
        let half = #expect(throws: TreeError.self) { try rules(shallow) }
        #expect(half?.fix.contains("unshallow") == true)
    }
}
