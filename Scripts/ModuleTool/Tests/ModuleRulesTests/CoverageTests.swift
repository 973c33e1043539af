import ModuleFixtures
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleRules

@Suite("The coverage of a check")
struct CoverageTests {
    private func context(_ tree: TemporaryTree) throws -> RuleContext {
        RuleContext(try TreeReader(root: tree.root, caching: .file(HouseFiles.facts)).read(isLenient: true))
    }

    @Test("A check counts what each rule looked at, and names the rules that had nothing to check")
    func counts() throws {
        let tree = try SmallTree.make()
        try tree.commit("Good")
        let rules = try RuleBook.rules(named: ["pairs", "cycles", "shared-settings", "version-raised"])
        let coverage = try RuleCoverage(of: rules, in: context(tree))
        #expect(
            coverage.counts == [
                "pair-halves": 4, "pair-names": 9, "api-alone": 2, "api-content": 2, "api-signature": 2,
                "api-reexports": 0, "fakes-in-tests": 0, "imp-own-api": 2,
                "imp-public": 2, "module-members": 2, "route-constant": 2, "cycles": 10, "version-raised": 7,
                "shared-settings": 0,
            ])
        #expect(coverage.lines == ["nothing to check: api-reexports, fakes-in-tests, shared-settings"])
        #expect(try RuleCoverage(of: RuleBook.tree.rules, in: context(tree)).advice == [])
        try tree.remove(".modules.yml")
        let whole = try RuleCoverage(of: RuleBook.tree.rules, in: context(tree))
        #expect(
            whole.lines.last?.hasPrefix(
                "\(whole.idle.count) of \(RuleBook.tree.rules.count) rules have nothing to check") == true)
        #expect(whole.lines.last?.contains("run Scripts/modules init") == true)
        let bare = try RuleCoverage(of: rules, in: context(tree))
        #expect(bare.counts["cycles"] == 10)
        #expect(bare.idle == rules.map(\.id).filter { $0 != "cycles" })
    }

    @Test(
        "A rule with nothing to check has no findings",
        arguments: [".modules.yml", "VERSIONS.md", "Package.swift"])
    func idle(_ removed: String) throws {
        let tree = try SmallTree.make()
        for edit in Break.all where edit.rule == "layer-order" || edit.rule == "imp-hidden" {
            try tree.edit(edit.file, edit.old, edit.new)
        }
        try tree.remove(removed)
        try tree.commit("Broken")
        let context = try context(tree)
        for rule in RuleBook.tree.rules where try rule.itemCount(context) == 0 {
            #expect(try rule.findings(in: context) == [], "\(rule.id)")
        }
    }

    @Test(
        "If a package's manifest cannot be read, its products are not reported as unused",
        arguments: [true, false])
    func unreadProduct(isReadable: Bool) throws {
        let tree = try SmallTree.make()
        let uses = [
            "dependencies: [\n": "dependencies: [\n        .package(name: \"App\", path: \"../..\"),\n",
            "[\"ApiCenter\"]": "[\"ApiCenter\", .product(name: \"Shell\", package: \"App\")]",
        ]
        let manifest = SmallTree.manifest(
            "Host", packages: ["../../Packages/Core/ApiCenter"], uses: ["ApiCenter"])
        try tree.write(
            "Apps/Host/Package.swift", uses.reduce(manifest) { $0.replacing($1.key, with: $1.value) })
        try tree.write("Apps/Host/Sources/Host/main.swift", "import Foundation\n")
        if !isReadable { try tree.write("Package.swift", "let package = \n") }
        let found = try tree.findings("dependency-used").filter { $0.rule == "dependency-used" }.map(\.what)
        #expect(found == ["the target Host declares ApiCenter but never imports it"])
    }

    private static let nested = "import PackageDescription\n" + String(repeating: "(", count: 300)

    @Test(
        "An unreadable manifest is reported with its place, and the other packages are still checked",
        arguments: [
            ("import PackageDescription\n", ":1:1", "Swift tools version 3.1.0"),
            (SmallTree.manifest("Ride").replacing("targets: [", with: "targets: [["), ":6:57", "expected"),
            (SmallTree.manifest("Ride").replacing("6.3", with: "99.0") + "print()\n", ":1:1", "99.0"),
            (SmallTree.manifest("Ride") + "fatalError(\"Why?\")\n", ":13:1", "Why?"),
            (Self.nested, ":1:1", "256 nested brackets"), ("", ":1:1", "is empty"),
        ])
    func unread(_ manifest: String, _ place: String, _ reason: String) throws {
        let path = File.rideManifest
        let tree = try SmallTree.make()
        try tree.edit(File.journey, "import ErrorCode\n", "")
        try tree.write(path, manifest)
        let findings = try tree.findings("imports", "layers", "pairs", "registration")
        #expect(findings.map(\.rule) == ["dependency-used", "manifest-read"])
        let finding = try #require(findings.last)
        #expect(finding.place.description.hasPrefix(path + place), "\(finding)")
        #expect(finding.what.contains(reason) && !finding.what.contains("\n"), "\(finding)")
        #expect(finding.fix.contains("write exclude: [Packages/Business/Ride] in .modules.yml. "))
        let coverage = try RuleCoverage(
            of: RuleBook.rules(named: ["registration", "cycles"]), in: context(tree))
        #expect(
            coverage.lines == [
                "not checked without all manifests: registration-missing, registration-double, registration-orphan, app-list"
            ])
        #expect(try RuleCoverage(of: [.manifestRead], in: context(tree)).counts == ["manifest-read": 10])
        // A baseline cannot hide the finding, and the choice of rules does not matter.
        #expect(Baseline(findings).count == 1)
        #expect(try tree.findings("facade-alone").map(\.rule) == ["manifest-read"])
        try tree.write(".modules.yml", "exclude: [Packages/Business/Ride]\n")
        #expect(
            try tree.findings("imports").map(\.rule) == ["dependency-used"])
    }
}
