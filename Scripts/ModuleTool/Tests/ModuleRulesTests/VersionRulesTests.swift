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
            ("| Ride |", "| Rides |", "the table lists Rides, but the tree has no such IMP"),
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

    @Test("A library without a row and a row without a library are reported")
    func libraries() throws {
        let tree = try SmallTree.committed()
        try tree.edit("VERSIONS.md", "| ErrorCode | 1.0.0 |\n", "")
        try tree.edit("VERSIONS.md", "| Lifecycle ", "| Errors | 1.0.0 |\n| Lifecycle ")
        let findings = try tree.findings("version-libraries")
        #expect(
            findings.map(\.what) == [
                "ErrorCode has no row among the libraries",
                "the table lists Errors, but the tree has no such library",
            ])
        #expect(findings.first?.fix.contains("| ErrorCode | 1.0.0 |") == true)
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
        for body in ["\"9.9.9\"", "return \"9.9.9\"", "get { \"9.9.9\" }"] {
            let known = try tree.read(file).split(separator: "\n").first { $0.contains("version") }
            try tree.edit(file, String(try #require(known)), "    public var version: String { \(body) }")
            #expect(try tree.findings("version-in-code").map(\.place.description) == ["\(file):6:16"])
        }
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
        let tree = try SmallTree.make()
        for required in ["JourneyApi", "ApiCenter", "Elsewhere"] {
            try tree.edit(
                "Packages/Business/Ride/Package.swift", "    dependencies: [\n",
                "    dependencies: [\n        .package(url: \"https://github.com/o/\(required)\", \(requirement)),\n"
            )
        }
        #expect(try tree.findings("version-floors").count == (isWrong ? 2 : 0))
    }
}

@Suite("Rules about releases")
struct ReleaseTests {
    private static let ride = "Packages/Business/Ride/Sources/Ride/RideModule.swift"
    private static let rideApi = "Packages/Business/RideApi/Sources/RideApi/RideApiProtocol.swift"
    private let tree: TemporaryTree

    init() throws { tree = try SmallTree.committed() }

    @Test("Changed tests, manifests, documents and notes need no new version")
    func silent() throws {
        try tree.edit(
            "Packages/Business/Ride/Tests/RideTests/RideTests.swift", "import Testing", "import Testing\n")
        try tree.edit("Packages/Business/Ride/Package.swift", "let package", "// A word.\nlet package")
        try tree.write("Packages/Base/Lifecycle/Tests/LifecycleTests/New.swift", "let new = 1\n")
        try tree.write("Packages/Base/Lifecycle/README.md", "New.\n")
        try tree.edit("Packages/Base/Lifecycle/Package.swift", "let package", "// A word.\nlet package")
        try tree.edit("VERSIONS.md", "# Versions", "# All versions")
        #expect(try tree.rules() == [])
        try tree.commit("Second state")
        #expect(try tree.rules() == [])
        #expect(try tree.rules(since: "HEAD~1") == [])
    }

    @Test("Sources that changed after their version was set are reported, committed or not")
    func raised() throws {
        try tree.write("Packages/Business/Ride/Sources/Ride/New.swift", "let new = 1\n")
        #expect(try tree.rules() == ["version-raised"])
        try tree.commit("New file")
        #expect(try tree.rules() == ["version-raised"])
        #expect(try tree.rules(since: "HEAD~1") == ["version-raised"])
        #expect(try tree.rules(since: "HEAD") == [])
        try tree.raiseRide("1.2.1", "1.1.1")
        #expect(try tree.rules() == [])
        try tree.commit("Ride 1.1.1")
        #expect(try tree.rules() == [])
        // Adding a file and removing it again is not a change.
        try tree.write("Packages/Business/Ride/Sources/Ride/Other.swift", "let other = 1\n")
        try tree.commit("There")
        try tree.remove("Packages/Business/Ride/Sources/Ride/Other.swift")
        try tree.commit("Gone")
        #expect(try tree.rules() == [])
    }

    @Test("A new source or resource needs a new version, unless git ignores it")
    func newFiles() throws {
        try tree.write(".gitignore", "*.log\n")
        try tree.commit("Ignore")
        try tree.write("Packages/Business/Ride/Sources/Ride/build.log", "x")
        try tree.write("Packages/Business/Ride/README.md", "x")
        try tree.write("Packages/Business/Ride/Tests/RideTests/New.swift", "")
        #expect(try tree.rules() == [])
        try tree.write("Packages/Business/Ride/Sources/Ride/Resources/strings.json", "{}")
        #expect(try tree.rules() == ["version-raised"])
        try tree.commit("A resource")
        #expect(try tree.rules() == ["version-raised"])
    }

    @Test(
        "A library with changed sources and an unchanged version is reported, in every layer, even if it is a facade",
        arguments: [
            ("Common/ErrorCode", "1.0.1"), ("Base/Lifecycle", "1.1.1"), ("Common/RideActions", "1.0.1"),
        ])
    func libraries(_ path: String, _ version: String) throws {
        let name = path.split(separator: "/")[1]
        try tree.write("Packages/\(path)/Sources/\(name)/New.swift", "let new = 1\n")
        for _ in 0..<2 {
            let finding = try #require(try tree.findings("version-raised").first)
            #expect(finding.what.hasPrefix("\(name)'s sources changed, "))
            #expect(finding.fix.contains("Scripts/modules bump \(name) patch --note"))
            #expect(finding.place.path == "VERSIONS.md" && finding.place.line > 1)
            try tree.commit("Changed")
        }
        try tree.raise(String(name), version)
        #expect(try tree.rules() == [])
        try tree.commit("Raised")
        #expect(try tree.rules() == [])
    }

    @Test("A version that was raised only in the code is reported only by version-in-code")
    func saidInCode() throws {
        try tree.edit(Self.ride, "\"1.1.0\"", "\"1.1.1\"")
        let found = try tree.findings("versions")
        #expect(found.map(\.rule) == ["version-in-code"])
        #expect(found.first?.fix.contains("bump Ride") == true)
        // Any other change in the same file also requires a raised version.
        try tree.edit(Self.ride, "[] }", "[RideCode(text: \"x\")] }")
        #expect(Set(try tree.findings("versions").map(\.rule)) == ["version-in-code", "version-raised"])
        try tree.edit(Self.ride, "\"1.1.1\"", "\"1.1.0\"")
        #expect(try tree.rules() == ["version-raised"])
    }

    @Test("Lowered versions are reported, and so is an IMP version that was raised without the Api version")
    func halves() throws {
        try tree.raiseRide("1.2.0", "1.2.0")
        #expect(try tree.rules() == ["version-raised"])
        try tree.commit("IMP alone")
        #expect(try tree.rules() == ["version-raised"])
        try tree.raiseRide("1.1.0", "1.1.0")
        try tree.raise("Lifecycle", "1.0.9")
        for _ in 0..<2 {
            let lowered = try tree.findings("version-lowered").map(\.what)
            #expect(lowered.count == 3 && lowered.contains { $0.hasPrefix("Lifecycle went down from 1.1.0") })
            try tree.commit("Down")
        }
    }

    @Test("For a lowered version, no finding tells to keep the lower one")
    func lowered() throws {
        try tree.edit(Self.rideApi, "\"ride_vc\"", "\"ride_page\"")
        try tree.raiseRide("1.0.0", "1.0.0")
        let found = try tree.findings("versions")
        #expect(found.map(\.rule).sorted() == ["version-in-code", "version-lowered", "version-lowered"])
        #expect(
            found.first { $0.rule == "version-in-code" }?.fix.hasPrefix("write the released version") == true)
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
        try tree.edit(Self.rideApi, edit.old, edit.new)
        for (version, expected) in [("1.2.1", edit.patch), ("1.3.0", edit.minor), ("2.0.0", edit.major)] {
            try tree.raiseRide(version, "1.1.0")
            #expect(try tree.rules() == expected, "uncommitted \(version)")
            #expect(try tree.rules(since: "HEAD") == expected, "since, \(version)")
        }
        // The finding remains after a commit.
        try tree.raiseRide("1.2.1", "1.1.0")
        try tree.commit("Api 1.2.1")
        #expect(try tree.rules() == edit.patch)
    }

    @Test(
        "A change for another platform needs a version step, and an Api is compared even if it does not compile"
    )
    func otherPlatform() throws {
        try tree.edit(
            Self.rideApi, "-> [RideCode]\n",
            "-> [RideCode]\n    #if os(iOS) || os(Linux)\n    func scan() -> Nowhere\n    #endif\n")
        #expect(try tree.rules() == ["version-step"])
        try tree.raiseRide("2.0.0", "1.1.0")
        #expect(try tree.rules() == [])
    }

    @Test("A changed Api whose version was not raised is reported")
    func unraisedApi() throws {
        try tree.edit(Self.rideApi, "public enum RideRoute", "public struct A {}\npublic enum RideRoute")
        try tree.commit("More")
        #expect(try tree.rules() == ["version-step"])
    }

    @Test("A declaration that the previous release deprecated may be removed")
    func deprecated() throws {
        let line = "    public static let main = \"ride_vc\"\n"
        try tree.edit(Self.rideApi, line, "    @available(*, deprecated, message: \"gone soon\")\n" + line)
        try tree.raiseRide("1.3.0", "1.1.0")
        try tree.commit("Deprecated")
        #expect(try tree.rules() == [])
        try tree.edit(Self.rideApi, "    @available(*, deprecated, message: \"gone soon\")\n" + line, "")
        try tree.raiseRide("2.0.0", "1.1.0")
        #expect(try tree.rules() == [])
        try tree.commit("Removed")
        #expect(try tree.rules() == [])
    }

    @Test("Checking releases in a shallow clone is an error")
    func shallow() throws {
        try tree.commit("More")
        let shallow = try TemporaryTree()
        try tree.git("clone", "-q", "--depth", "1", "file://" + tree.root, shallow.root)
        let half = #expect(throws: Diagnostic.self) { try shallow.rules() }
        #expect(half?.kind == .environment && half?.fix.contains("unshallow") == true)
    }
}
