import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

@Suite("Comments that allow findings")
struct AllowanceTests {
    private static let file = "Packages/Business/Ride/Sources/Ride/More.swift"

    @Test(
        "A comment allows the findings of its rule in its line or the next",
        arguments: [
            ("\n\npublic struct More {} // modules:allow imp-public: the SDK asks for it", []),
            ("\n// modules:allow imp-public: the SDK asks for it\npublic struct More {}", []),
            (
                "// modules:allow imp-public: the SDK asks for it\n// modules:allow cycles: x\npublic struct More {}",
                ["allow-unneeded 2: cycles finds nothing that this comment allows"]
            ),
            (
                "// modules:allow imp-public: too far\n\npublic struct More {}",
                ["allow-unneeded 1: imp-public finds nothing that this comment allows", "imp-public 3"]
            ),
            (
                "\n// modules:allow imp-public:\npublic struct More {}",
                ["allow-unneeded 2: the comment gives no rule or no reason", "imp-public 3"]
            ),
            (
                "\n// modules:allow imp-pubic: the SDK asks for it\npublic struct More {}",
                ["allow-unneeded 2: no rule is named imp-pubic", "imp-public 3"]
            ),
            (
                "let a = \"// modules:allow x\"\n/* // modules:allow y: z */\npublic struct More {}",
                ["imp-public 3"]
            ),
            ("// Write modules:allow to allow a finding.\n\npublic struct More {}", ["imp-public 3"]),
        ])
    func sources(_ code: String, _ expected: [String]) throws {
        let tree = try SmallTree.make()
        try tree.write(Self.file, code + "\n")
        let found = try tree.findings("pairs", "layers").map { finding in
            "\(finding.rule) \(finding.place.line)"
                + (finding.rule == "allow-unneeded" ? ": \(finding.what)" : "")
        }
        #expect(found == expected)
    }

    @Test("A check of other rules does not ask for a finding")
    func otherRules() throws {
        let tree = try SmallTree.make()
        try tree.write(Self.file, "// modules:allow imp-public: not any more\nstruct More {}\n")
        #expect(try tree.findings("layers") == [])
        #expect(try tree.findings("imp-public").map(\.rule) == ["allow-unneeded"])
    }

    @Test("A comment in a test's file and in a manifest allows findings too")
    func manifests() throws {
        let tree = try SmallTree.make()
        let manifest = "Packages/Business/Ride/Package.swift"
        try tree.edit(manifest, "name: \"Ride\",\n", "name: \"Rides\",\n")
        try tree.edit(
            manifest, "import PackageDescription",
            "// modules:allow pair-names: next release\nimport PackageDescription")
        let test = "Packages/Business/Ride/Tests/RideTests/RideTests.swift"
        try tree.write(
            test, "import Mediator // modules:allow import-declared: a spike\n" + (try tree.read(test)))
        #expect(try tree.findings("pairs", "imports", "layers") == [])
        try tree.edit(
            manifest, "        .target(name: \"Ride\"",
            "        // modules:allow imp-own-api: a spike\n        .target(name: \"Ride\"")
        try tree.edit(manifest, ", \"RideApi\"]", "]")
        #expect(try tree.findings("imp-own-api") == [])
    }
}
