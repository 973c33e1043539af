import ModuleFacts
import ModuleFixtures
import ModuleKit
import ModuleRules
import RuleFixtures
import Testing

@Suite("Comments that allow findings")
struct AllowanceTests {
    private static let public1 = "imp-public 1", public2 = "imp-public 2", public3 = "imp-public 3"
    private static let unneeded = "finds nothing that this comment allows"

    @Test(
        "A comment allows the findings of its rule in its line or the next",
        arguments: [
            ("MORE // modules:allow imp-public: the SDK asks for it", []),
            ("// modules:allow imp-public: the SDK asks for it\nMORE", []),
            (
                "// modules:allow imp-public: the SDK asks for it\n// modules:allow cycles: x\nMORE",
                ["allow-unneeded 2: cycles \(unneeded)"]
            ),
            (
                "// modules:allow imp-public: too far\n\nMORE",
                ["allow-unneeded 1: imp-public \(unneeded)", public3]
            ),
            (
                "// modules:allow imp-public:\nMORE",
                ["allow-unneeded 1: the comment gives no rule or no reason", public2]
            ),
            (
                "// modules:allow imp-pubic: x\nMORE",
                ["allow-unneeded 1: no rule is named imp-pubic", public2]
            ),
            ("let a = \"// modules:allow x\"\n/* // modules:allow y: z */\nMORE", [public3]),
            ("// Write modules:allow to allow a finding.\nMORE", [public2]), ("MORE", [public1]),
        ])
    func sources(_ code: String, _ expected: [String]) throws {
        let tree = try SmallTree.make()
        try tree.write(
            File.beside(File.ride, "More.swift"), code.replacing("MORE", with: "public struct More {}") + "\n"
        )
        let found = try tree.findings("pairs", "layers").map { finding in
            "\(finding.rule) \(finding.place.line)"
                + (finding.rule == "allow-unneeded" ? ": \(finding.what)" : "")
        }
        #expect(found == expected)
    }

    @Test(
        "A finding about a whole package is allowed in the first three lines of its manifest",
        arguments: 1...4)
    func firstLines(line: Int) throws {
        let text = String(repeating: "\n", count: line - 1) + "// modules:allow pair-names: next release\n"
        for path in [
            File.rideManifest, "Package.swift", File.ride, File.beside(File.ride, "RidePackage.swift"),
        ] {
            let comment = try #require(try Allowance.all(in: Array(text.utf8), of: path).first)
            #expect(comment.covers(SourcePlace(path: path, line: line + 1), in: path))
            let isFirst = path.split(separator: "/").last == "Package.swift" && line <= 3
            #expect(comment.covers(SourcePlace(path: path), in: path) == isFirst, "\(path)")
            #expect(!comment.covers(SourcePlace(path: path, line: line + 2), in: path))
        }
    }

    static let cases = [
        Case(
            "a comment about a rule that is not checked", "layers",
            [
                .insert(
                    "// modules:allow imp-public: not any more\n", before: "import ApiCenter", in: File.ride)
            ]),
        Case(
            "comments in a test's file and in a manifest", "pairs imports layers",
            [
                .edit(File.rideManifest, "name: \"Ride\",\n", "name: \"Rides\",\n"),
                .insert(
                    "// modules:allow pair-names: next release\n", before: "import Pack",
                    in: File.rideManifest),
                .insert(
                    "import Mediator // modules:allow import-declared: a spike\n", before: "import Testing",
                    in: File.rideTests),
            ]),
        Case(
            "a comment before a target", "imp-own-api",
            [
                .insert(
                    "// modules:allow imp-own-api: a spike\n        ", before: ".target(name: \"Ride\"",
                    in: File.rideManifest), .edit(File.rideManifest, ", \"RideApi\"]", "]"),
            ]),
    ]

    @Test("A comment allows findings in all files, and is not reported if nobody looked", arguments: cases)
    func allows(_ row: Case) throws { try row.run() }
}
