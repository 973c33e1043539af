import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

/// Shapes of real repositories, which are no findings, and the fixes that fit them.
@Suite("The rules in other people's trees")
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
        "A plugin is used without an import, in literal and in computed manifests", arguments: ["", " + []"])
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

    @Test("A target whose files are empty passes its dependencies on")
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

    @Test("A source file named Package.swift is no manifest")
    func sourceFile() throws {
        let tree = try TemporaryTree([
            "Package.swift": manifest("Shop", targets: ".target(name: \"Shop\", dependencies: [])"),
            "Sources/Shop/Package.swift": "struct Package {}\n",
        ])
        #expect(try tree.findings() == [])
        try tree.write("Sources/Shop/Package.swift", "import PackageDescription\n")
        #expect(try tree.findings().map(\.rule) == ["manifest-read"])
    }

    @Test("The fix names the product as the manifest must spell it, and only what is missing")
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
                    + "and .package(path: \"../Data\") to those of the package",
            ])
    }

    @Test("Without a configuration, a manifest that cannot be read leaves only the rules of all trees to run")
    func unread() throws {
        let tree = try TemporaryTree([
            "Kit/Package.swift": manifest("Kit", targets: ""),
            "Broken/Package.swift": "import PackageDescription\n",
        ])
        let context = RuleContext(try TreeReader(root: tree.root).read(isLenient: true))
        let rules = try RuleBook.rules(named: ["registration", "cycles"])
        #expect(
            try RuleCoverage(of: rules, in: context).lines == [
                "1 package: cycles",
                "nothing to judge, without .modules.yml: all rules about registration",
            ])
    }
}
