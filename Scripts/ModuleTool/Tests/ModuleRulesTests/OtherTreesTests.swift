import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

/// Layouts of real repositories that must not cause findings, and the fixes that suit these layouts.
@Suite("The rules in other projects' trees")
struct OtherTreesTests {
    private func manifest(_ name: String, dependencies: String = "", products: String = "", targets: String)
        -> String
    {
        """
        // swift-tools-version: 6.2
        import PackageDescription
        let package = Package(
            name: "\(name)",
            products: [\(products)],
            dependencies: [\(dependencies)],
            targets: [\(targets)]
        )

        """
    }

    @Test(
        "A plugin counts as used without an import, in literal and computed manifests",
        arguments: ["", " + []"])
    func plugins(_ end: String) throws {
        let tree = try TemporaryTree([
            "Package.swift": manifest(
                "Speed", dependencies: "\n.package(url: \"https://github.com/acme/bench\", from: \"1.0.0\"),",
                targets: """
                    .target(name: "Speed", dependencies: [.product(name: "Bench", package: "bench")],
                        plugins: [.plugin(name: "BenchPlugin", package: "bench")]\(end.isEmpty ? "" : ".map { $0 }"))
                    """),
            "Sources/Speed/Speed.swift": "import Bench\n",
        ])
        #expect(try tree.findings("dependency-used") == [])
    }

    @Test("A target without code may declare dependencies that it does not import")
    func wrapper() throws {
        let tree = try TemporaryTree([
            "Package.swift": manifest(
                "Kit", targets: ".target(name: \"Core\"), .target(name: \"Kit\", dependencies: [\"Core\"])"),
            "Sources/Core/Core.swift": "struct Core {}\n", "Sources/Kit/Kit.swift": "// Links Core.\n",
        ])
        #expect(try tree.findings("dependency-used") == [])
        try tree.write("Sources/Kit/Kit.swift", "struct Kit {}\n")
        #expect(try tree.findings("dependency-used").count == 1)
    }

    @Test("A source file named Package.swift is not a manifest unless it imports PackageDescription")
    func sourceFile() throws {
        let tree = try TemporaryTree([
            "Package.swift": manifest("Shop", targets: ".target(name: \"Shop\", dependencies: [])"),
            "Sources/Shop/Package.swift": "struct Package {}\n",
        ])
        #expect(try tree.findings() == [])
        try tree.write("Sources/Shop/Package.swift", "import PackageDescription\n")
        #expect(try tree.findings().map(\.rule) == ["manifest-read"])
    }

    @Test("The fix declares the product as the manifest must, and suggests only missing declarations")
    func spelling() throws {
        let data = """
            .library(name: "Data", targets: ["Data"]), .library(name: "DataC", targets: ["DataC"])
            """
        let tree = try TemporaryTree([
            "Modules/Data/Package.swift": manifest(
                "Data", products: data, targets: ".target(name: \"Data\"), .target(name: \"DataC\")"),
            "Modules/Data/Sources/Data/Data.swift": "struct Data {}\n",
            "Modules/Data/Sources/DataC/DataC.swift": "struct DataC {}\n",
            "Modules/Log/Package.swift": manifest(
                "Log", dependencies: ".package(path: \"../Data\")",
                targets: ".target(name: \"Log\", dependencies: [\"Data\"])"),
            "Modules/Log/Sources/Log/Log.swift": "import Data\nimport DataC\n",
            "Modules/Web/Package.swift": manifest("Web", targets: ".target(name: \"Web\")"),
            "Modules/Web/Sources/Web/Web.swift": "import Data\n",
        ])
        let fixes = try tree.findings("import-declared").map(\.fix)
        #expect(
            fixes == [
                "add .product(name: \"DataC\", package: \"Data\") to the dependencies at Modules/Log/Package.swift:7:29",
                "add \"Data\" to the dependencies at Modules/Web/Package.swift:7:29, "
                    + "and .package(path: \"../Data\") to the package's dependencies",
            ])
    }

    @Test("Without a configuration, an unreadable manifest does not stop the rules that apply to every tree")
    func unread() throws {
        let tree = try TemporaryTree([
            "Kit/Package.swift": manifest("Kit", targets: ""),
            "Broken/Package.swift": "import PackageDescription\n",
        ])
        let context = RuleContext(try TreeReader(root: tree.root).read(isLenient: true))
        let rules = try RuleBook.rules(named: ["registration", "cycles"])
        #expect(
            try RuleCoverage(of: rules, in: context).lines == [
                "nothing to check: registration-missing, registration-double, registration-orphan, "
                    + "registration-literal, app-list"
            ])
    }
}
