import ModuleFixtures
import ModuleRules
import ModuleTree
import Testing

@testable import ModuleChecks

/// Layouts of real repositories that must not cause findings, and the fixes that suit these layouts.
@Suite("The rules in other projects' trees")
struct OtherTreesTests {
    private static func manifest(_ name: String, _ arguments: String = "", targets: String) -> String {
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(
            name: "\(name)",\(arguments)
            targets: [\(targets)]
        )

        """
    }

    private static let empty = manifest(
        "Kit", targets: ".target(name: \"Kit\", dependencies: [\"Core\"]), .target(name: \"Core\")")

    static let rows: [(files: [String: String], findings: [String])] = [
        (  // A plugin counts as used without an import, in literal and computed manifests.
            files: ["", ".map { $0 }"].reduce(into: [:]) { files, end in
                files["P\(end.count)/Package.swift"] = manifest(
                    "Speed",
                    "dependencies: [\n.package(url: \"https://github.com/acme/bench\", from: \"1.0.0\")],",
                    targets: """
                        .target(name: "Speed", dependencies: [.product(name: "Bench", package: "bench")],
                            plugins: [.plugin(name: "BenchPlugin", package: "bench")]\(end))
                        """)
                files["P\(end.count)/Sources/Speed/Speed.swift"] = "import Bench\n"
            }, []
        ),
        (  // A target without code may declare dependencies that it does not import.
            [
                "Package.swift": empty, "Sources/Core/Core.swift": "struct Core {}\n",
                "Sources/Kit/Kit.swift": "// Links Core.\n",
            ], []
        ),
        (
            [
                "Package.swift": empty, "Sources/Core/Core.swift": "struct Core {}\n",
                "Sources/Kit/Kit.swift": "struct Kit {}\n",
            ], ["the target Kit declares Core but never imports it"]
        ),
        (  // A source file named Package.swift is not a manifest unless it imports PackageDescription.
            [
                "Package.swift": manifest("Shop", targets: ".target(name: \"Shop\")"),
                "Sources/Shop/Package.swift": "struct Package {}\n",
            ], []
        ),
        (
            [
                "Package.swift": manifest("Shop", targets: ".target(name: \"Shop\")"),
                "Sources/Shop/Package.swift": "import PackageDescription\n",
            ], ["the manifest cannot be read"]
        ),
    ]

    @Test("The rules report what is wrong in any layout, and nothing else", arguments: rows)
    func layouts(_ files: [String: String], _ findings: [String]) throws {
        try TemporaryTree(files).expect("imports", finds: findings)
    }

    @Test("The fix declares the product as the manifest must, and suggests only missing declarations")
    func spelling() throws {
        let data =
            "products: [.library(name: \"Data\", targets: [\"Data\"]), .library(name: \"DataC\", targets: [\"DataC\"])],"
        let tree = try TemporaryTree([
            "Modules/Data/Package.swift": Self.manifest(
                "Data", data, targets: ".target(name: \"Data\"), .target(name: \"DataC\")"),
            "Modules/Data/Sources/Data/Data.swift": "struct Data {}\n",
            "Modules/Data/Sources/DataC/DataC.swift": "struct DataC {}\n",
            "Modules/Log/Package.swift": Self.manifest(
                "Log", "dependencies: [.package(path: \"../Data\")],",
                targets: ".target(name: \"Log\", dependencies: [\"Data\"])"),
            "Modules/Log/Sources/Log/Log.swift": "import Data\nimport DataC\n",
            "Modules/Web/Package.swift": Self.manifest("Web", targets: ".target(name: \"Web\")"),
            "Modules/Web/Sources/Web/Web.swift": "import Data\n",
        ])
        #expect(
            try tree.findings("import-declared").map(\.fix) == [
                "Add .product(name: \"DataC\", package: \"Data\") to the dependencies at Modules/Log/Package.swift:5:29.",
                "Add \"Data\" to the dependencies at Modules/Web/Package.swift:5:29, "
                    + "and .package(path: \"../Data\") to the package's dependencies.",
            ])
    }

    private static let remote =
        "dependencies: [.package(url: \"https://github.com/acme/swift-log\", from: \"1.0.0\")],"

    @Test("All imports of a module are one finding, which names the product and its package")
    func remoteProduct() throws {
        let product = ".product(name: \"Logging\", package: \"swift-log\")"
        let tree = try TemporaryTree([
            "A/Package.swift": Self.manifest(
                "A", Self.remote,
                targets: ".target(name: \"A\", dependencies: [\(product)]), .target(name: \"B\")"),
            "A/Sources/A/A.swift": "import Logging\n",
            "A/Sources/B/B.swift": "import Logging\n", "A/Sources/B/C.swift": "\nimport Logging\n",
            "D/Package.swift": Self.manifest("D", targets: ".target(name: \"D\")"),
            "D/Sources/D/D.swift": "import Logging\n",
        ])
        let findings = try tree.findings("imports")
        #expect(
            findings.map { "\($0.place): \($0.fix)" } == [
                "A/Sources/B/B.swift:1:1: Add \(product) to the dependencies at A/Package.swift:5:114, "
                    + "as at A/Package.swift:5:49.",
                "D/Sources/D/D.swift:1:1: Add \(product) to the dependencies at D/Package.swift:5:29, "
                    + "as at A/Package.swift:5:49, and its package to the package's dependencies.",
            ])
        #expect(findings.map { $0.notes.map(\.place.description) } == [["A/Sources/B/C.swift:2:1"], []])
    }

    @Test(
        "A module that a product of another name may contain counts as declared, unless that name can be a module's",
        arguments: [("SwiftLog-auto", 0), ("LogMetrics", 1)])
    func collected(_ product: String, _ count: Int) throws {
        func use(_ name: String) -> String { ".product(name: \"\(name)\", package: \"swift-log\")" }
        let tree = try TemporaryTree([
            "Package.swift": Self.manifest(
                "A", Self.remote,
                targets: ".target(name: \"A\", dependencies: [\(use("Logging"))]), "
                    + ".target(name: \"B\", dependencies: [\(use(product))])"),
            "Sources/A/A.swift": "import Logging\n",
            "Sources/B/B.swift": "import Logging\nimport LogMetrics\n",
        ])
        #expect(try tree.findings("imports").count == count)
    }

    @Test("A plugin gets PackagePlugin from SwiftPM, even in a tree that has a target of this name")
    func packagePlugin() throws {
        let plugin =
            ".plugin(name: \"Make\", capability: .command(intent: .custom(verb: \"make\", description: \"x\")))"
        let tree = try TemporaryTree([
            "Package.swift": Self.manifest(
                "Manager",
                targets: "\(plugin), .target(name: \"PackagePlugin\"), .target(name: \"Kit\")"),
            "Plugins/Make/Make.swift": "import PackagePlugin\n",
            "Sources/PackagePlugin/Plugin.swift": "struct Plugin {}\n",
            "Sources/Kit/Kit.swift": "import PackagePlugin\n",
        ])
        try tree.expect("imports", finds: ["Sources/Kit/Kit.swift:1:1"])
    }

    @Test("Without a configuration, an unreadable manifest does not stop the rules that apply to every tree")
    func unread() throws {
        let tree = try TemporaryTree([
            "Kit/Package.swift": Self.manifest("Kit", targets: ""),
            "Broken/Package.swift": "import PackageDescription\n",
        ])
        let context = RuleContext(try TreeReader(root: tree.root).read(isLenient: true))
        let rules = try RuleBook.rules(named: ["registration", "cycles"])
        let idle = rules.map(\.id).filter { $0 != "cycles" }.joined(separator: ", ")
        #expect(try RuleCoverage(of: rules, in: context).lines == ["nothing to check: " + idle])
    }
}
