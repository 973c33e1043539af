import Foundation
import ModuleFixtures
import ModuleRules
import ModuleTree
import RuleFixtures
import Testing

@testable import ModuleChecks

@Suite("Rules about pairs, layers and imports")
struct TreeRulesTests {
    @Test("A correct tree has no findings")
    func silent() throws {
        let tree = try SmallTree.make()
        try tree.commit("Good")
        #expect(try tree.findings() == [])
    }

    @Test("Each rule about what people write has an edit that breaks it, or tests with trees of its own")
    func everyRule() {
        let elsewhere = [
            "pair-halves", "api-reexports", "fakes-in-tests", "denied-use", "cycles", "shared-calls",
            "manifest-read", "shared-settings", "registration-missing", "registration-double",
            "registration-orphan", "registration-literal", "app-list", "events-in-order",
        ]
        let broken = Set(Break.all.map(\.rule))
        #expect(CheckRules.all.map(\.id).filter { !broken.contains($0) } == elsewhere)
    }

    @Test("Each rule reports a violation at its exact place", arguments: Break.all)
    func broken(_ edit: Break) throws {
        let tree = try SmallTree.make()
        try tree.edit(edit.file, edit.old, edit.new)
        let findings = try tree.findings(edit.rule)
        #expect(findings.map(\.place.description) == [edit.place])
        #expect(findings.allSatisfy { $0.rule == edit.rule && $0.isInForm && !$0.why.isEmpty })
    }

    @Test("A local dependency may be outside the tree, but not in a hidden folder")
    func hiddenPackages() throws {
        let manifest = SmallTree.manifest(
            "Kit", packages: ["../Outside", "Inner/.hidden/Secret", "./Inner/Open/"])
        let whole = try TemporaryTree([
            "Kit/Package.swift": manifest, "Outside/Package.swift": SmallTree.manifest("Outside"),
            "Kit/Inner/.hidden/Secret/Package.swift": SmallTree.manifest("Secret"),
            "Kit/Inner/Open/Package.swift": SmallTree.manifest("Open"),
        ])
        let tree = try TreeReader(root: whole.root + "/Kit").read()
        #expect(
            try Rule.packageFound.findings(in: RuleContext(tree)).map(\.what) == [
                "the package Inner/.hidden/Secret is in a hidden folder, which no rule checks"
            ])
    }

    @Test("Settings that differ from the root manifest's are reported at the first line that differs")
    func sharedSettings() throws {
        let settings =
            "// The shared settings.\nfor target in package.targets { target.swiftSettings = [] }\n"
        let files = [
            "": settings, "Same/": settings, "Windows/": settings.replacing("\n", with: "\r\n"),
            "Other/": settings.replacing("[]", with: "nil"), "More/": settings + "// More.\n", "Without/": "",
        ].map { folder, end in
            let start =
                "// swift-tools-version: 6.3\nimport PackageDescription\nlet package = Package(name: \"Kit\")"
            return (folder + "Package.swift", start + "\n" + end)
        }
        let tree = try TemporaryTree(Dictionary(uniqueKeysWithValues: files))
        #expect(
            try tree.findings("shared-settings").map(\.place.description) == [
                "More/Package.swift:6:1", "Other/Package.swift:5:1", "Without/Package.swift:4:1",
            ])
        try tree.edit("Package.swift", "// The shared", "// Some")
        #expect(try tree.findings("shared-settings") == [])
    }

    @Test("The fix of an undeclared import names the product with the module's name, or else the first one")
    func products() throws {
        let (own, all) = (
            ".library(name: \"Mediator\", targets: [\"Mediator\"])",
            ".library(name: \"All\", targets: [\"Mediator\"])"
        )
        for (products, fix) in [
            ("\(all), \(own)", "Add \"Mediator\" to "),
            (all, "Add .product(name: \"All\", package: \"Mediator\") to "),
        ] {
            let tree = try SmallTree.make()
            try tree.edit("Packages/Base/Mediator/Package.swift", own, products)
            try tree.write(File.beside(File.errorCode, "More.swift"), "import Mediator\n")
            let fixes = try tree.findings("import-declared").map(\.fix)
            #expect(fixes.map { $0.hasPrefix(fix) } == [true], "\(fixes)")
        }
    }

    @Test("A dependency cycle is reported with its shortest path and the file that closes it")
    func cycle() throws {
        let common = "Packages/Common"
        let tree = try SmallTree.make()
        for (name, next) in [("One", "Two"), ("Two", "Three"), ("Three", "One")] {
            try tree.write(
                "\(common)/\(name)/Package.swift",
                SmallTree.manifest(name, packages: ["../\(next)"], uses: [next]))
            try tree.write("\(common)/\(name)/Sources/\(name)/File.swift", "import \(next)\n")
        }
        let long = try #require(try tree.findings("cycles").first)
        #expect(long.what.hasSuffix("One -> Two -> Three -> One") && long.notes.count == 2)
        #expect(long.place.description == "\(common)/Three/Sources/Three/File.swift:1:1")
        // A shorter cycle is preferred, even if only an import closes it.
        try tree.write("\(common)/Two/Sources/Two/Extra.swift", "// nothing\nimport One\n")
        let short = try tree.findings("cycles")
        #expect(short.map { $0.what.hasSuffix(": One -> Two -> One") } == [true])
        #expect(short.map(\.place.description) == ["\(common)/Two/Sources/Two/Extra.swift:2:1"])
    }

    @Test("Each finding about a helper in a layer of pairs says that it may belong into a lower layer")
    func helper() throws {
        let tree = try SmallTree.make()
        try tree.write("Packages/Business/Money/Package.swift", SmallTree.manifest("Money"))
        try tree.write("Packages/Business/Money/Sources/Money/Money.swift", "public struct Money {}\n")
        try tree.edit(
            File.journeyManifest, "        .package(path: \"../RideApi\"),",
            "        .package(path: \"../Money\"),\n        .package(path: \"../RideApi\"),")
        try tree.edit(File.journeyManifest, "\"Lifecycle\", ", "\"Lifecycle\", \"Money\", ")
        try tree.edit(File.journey, "import RideApi", "import Money\nimport RideApi")
        try tree.commit("A helper")
        let found = try tree.findings()
        #expect(found.map(\.rule).sorted() == ["imp-hidden", "pair-halves"], "\(found)")
        for finding in found {
            #expect(finding.fix.contains("move it to a lower layer, such as Packages/Common"), "\(finding)")
        }
        try tree.git("mv", "Packages/Business/Money", "Packages/Common/Money")
        try tree.edit(File.journeyManifest, "../Money", "../../Common/Money")
        #expect(try tree.findings("pairs", "layers", "imports") == [])
    }

    @Test("Checking part of a tree reports no dependencies on packages outside that part")
    func outside() throws {
        let tree = try SmallTree.make()
        let part = try TreeReader(root: tree.root + "/Packages/Base").read()
        let rules = try RuleBook.rules(named: ["cycles", "imports"])
        #expect(try RuleBook.tree.findings(of: rules, in: RuleContext(part)) == [])
        // An unused dependency is reported, even if its package lies outside the part.
        try tree.edit(
            "Packages/Base/Lifecycle/Sources/Lifecycle/Module.swift", "import ApiCenter", "// none")
        #expect(
            try RuleBook.tree.findings(of: rules, in: RuleContext(TreeReader(root: part.root).read())).count
                == 1)
    }

    @Test(
        "The import of a conditional dependency needs an #if that leaves it out where the dependency is missing",
        arguments: [
            ("traits: [\"Codes\"]", "Codes", true), ("traits: [\"Codes\"]", "DEBUG && Codes", true),
            ("traits: [\"Codes\"]", "canImport(ErrorCode)", true),
            // A focus gives each pair a trait of its own.
            ("traits: [\"Codes\"]", "Codes || ErrorCode", true), ("traits: [\"Codes\"]", "os(Linux)", false),
            ("traits: [\"Codes\"]", "DEBUG || Codes", false), ("traits: [\"Codes\"]", "!Codes", false),
            ("traits: [\"A\", \"B\"]", "A || B", true), ("traits: [\"A\"]", "A || B", false),
            ("platforms: [.linux]", "os(Linux)", true), ("platforms: [.linux]", "canImport(Glibc)", true),
            ("platforms: [.linux]", "DEBUG", false), ("platforms: [.linux], traits: [\"A\"]", "A", false),
            ("platforms: [.linux], traits: [\"A\"]", "A && os(Linux)", true),
            ("platforms: [.linux], traits: [\"A\"]", "canImport(ErrorCode)", true),
            ("platforms: [.linux], traits: [\"A\"]", "os(Linux)", false),
        ])
    func conditionalImports(_ dependency: String, _ condition: String, isCovered: Bool) throws {
        let tree = try SmallTree.make()
        try tree.edit(
            File.journeyManifest, "\"ErrorCode\", \"JourneyApi\"",
            ".byName(name: \"ErrorCode\", condition: .when(\(dependency))), \"JourneyApi\"")
        try tree.edit(File.journey, "import ErrorCode", "#if \(condition)\nimport ErrorCode\n#endif")
        #expect(try tree.findings("import-declared").isEmpty == isCovered)
    }
}
