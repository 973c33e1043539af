import ModuleFixtures
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleReleases

@Suite("Rules about the release table")
struct VersionTableTests {
    @Test(
        "A wrong row in the release table causes exactly one finding",
        arguments: [
            ("| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |\n", "", "version-table", "the row of Ride is missing"),
            ("| >= 1.1.0 |", "| >= 1.0.0 |", "versions", "the row of Ride is not the expected"),
            ("| >= 1.1.0 |", "| 1.1.0 |", "versions", "the row of Ride is not the expected"),
            ("| >= 1.1.0 |", "|", "versions", "the row of Ride is not the expected"),
            ("| Ride | 1.2.0 |", "| Ride | 1.2 |", "versions", "the row of Ride is not the expected"),
            ("| Lifecycle | 1.1.0 |", "| Lifecycle | 1.1 |", "versions", "the row of Lifecycle is not"),
            ("| Mediator |", "| ErrorCod |", "version-table", "the row of ErrorCod is not the expected"),
            ("| ErrorCode | 1.0.0 |\n", "", "version-libraries", "the row of ErrorCode is missing"),
            ("| Lifecycle ", "| Errors | 1.0.0 |\n| Lifecycle ", "version-libraries", "lists Errors"),
        ])
    func table(_ old: String, _ new: String, _ rule: String, _ what: String) throws {
        let tree = try SmallTree.make()
        try tree.edit(File.versions, old, new)
        try tree.commit("A slip")
        let findings = try tree.findings(rule)
        #expect(findings.map { $0.what.contains(what) } == [true], "\(findings)")
        #expect(findings.allSatisfy { $0.place.path == File.versions })
    }

    @Test("Rules about versions count the rows of both tables")
    func count() throws {
        let tree = try SmallTree.make()
        let rows = try tree.read(File.versions).split(separator: "\n").count { $0.hasPrefix("| ") }
        // Each table has a header.
        #expect(try tree.context().rows() == rows - 2)
    }

    static let cases = [
        Case(
            "a row without an IMP", "version-table",
            finds: ["the row of Ride is missing", "the table lists Rides, but the tree has no such IMP"],
            [.edit(File.versions, "| Ride |", "| Rides |")]),
        Case(
            "no table", "versions", finds: ["the tree has pairs but no VERSIONS.md"], [.remove(File.versions)]
        ),
    ]

    @Test("The fix of a missing row is a row with the first version")
    func fixes() throws {
        let tree = try SmallTree.make()
        try tree.edit(File.versions, "| Ride | 1.2.0 | 1.1.0 | >= 1.1.0 |\n", "")
        try tree.edit(File.versions, "| ErrorCode | 1.0.0 |\n", "")
        for (rule, row) in [
            ("version-table", "| Ride | 1.0.0 | 1.0.0 | >= 1.0.0 |"),
            ("version-libraries", "| ErrorCode | 1.0.0 |"),
        ] {
            let fixes = try tree.findings(rule).map(\.fix)
            #expect(fixes == ["Insert the row with its versions: \(row)"], "\(rule)")
        }
    }

    @Test(
        "A row is not reported as unexpected if the manifest of its package cannot be read",
        arguments: [File.rideManifest, "Packages/Base/Lifecycle/Package.swift"])
    func unread(_ manifest: String) throws {
        let tree = try SmallTree.make()
        try tree.write(manifest, "let package = \n")
        #expect(try tree.findings("version-table", "version-libraries").map(\.rule) == ["manifest-read"])
    }

    @Test("Without VERSIONS.md, only the rules that look at each IMP have something to check")
    func idle() throws {
        let tree = try SmallTree.make()
        try tree.remove(File.versions)
        let coverage = try RuleCoverage(of: RuleBook.rules(named: ["versions"]), in: tree.context())
        #expect(coverage.counts.filter { $0.value > 0 } == ["version-in-code": 2, "version-table": 2])
    }

    @Test("Each IMP has a row", arguments: cases)
    func rows(_ row: Case) throws { try row.run() }

    @Test(
        "A module whose version differs from the release table is reported",
        arguments: [
            "let version = \"1.0.9\"", "var version: String { \"9.9.9\" }",
            "var version: String { return \"9.9.9\" }", "var version: String { get { \"9.9.9\" } }",
        ])
    func inCode(_ member: String) throws {
        let tree = try SmallTree.make()
        try tree.edit(File.ride, "let version = \"1.1.0\"", member)
        #expect(try tree.findings("version-in-code").map(\.place.description) == ["\(File.ride):6:16"])
    }

    @Test(
        "A remote package whose name ends in the letters of the suffix is no Api, unless its product is one")
    func remoteNames() throws {
        for (product, count) in [("Therapi", 0), ("OtherApi", 1)] {
            let tree = try SmallTree.make()
            try tree.edit(
                File.rideManifest, " dependencies: [\n",
                " dependencies: [\n        .package(url: \"https://github.com/o/\(product)\", exact: \"1.0.0\"),\n"
            )
            try tree.edit(
                File.rideManifest, "\"RideApi\"]",
                "\"RideApi\", .product(name: \"\(product)\", package: \"\(product)\")]")
            #expect(try tree.findings("version-floors").count == count, "\(product)")
        }
    }

    @Test(
        "A requirement between modules that is not a floor is reported",
        arguments: [
            ("exact: \"1.0.0\"", true), ("branch: \"main\"", true), ("revision: \"abc\"", true),
            (".upToNextMinor(from: \"1.2.0\")", true), ("\"1.0.0\"...\"1.4.0\"", true),
            ("\"1.0.0\"..<\"1.4.0\"", true), ("from: \"1.0.0\"", false), ("\"1.0.0\"..<\"3.0.0\"", false),
        ])
    func floors(_ requirement: String, _ isWrong: Bool) throws {
        let tree = try SmallTree.make()
        let packages = ["JourneyApi", "ApiCenter", "Elsewhere"].map {
            "        .package(url: \"https://github.com/o/\($0)\", \(requirement)),\n"
        }
        try tree.edit(File.rideManifest, " dependencies: [\n", " dependencies: [\n" + packages.joined())
        #expect(try tree.findings("version-floors").count == (isWrong ? 2 : 0))
    }
}
