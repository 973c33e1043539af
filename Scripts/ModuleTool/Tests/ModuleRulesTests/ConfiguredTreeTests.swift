import ModuleFixtures
import ModuleTree
import Testing

@testable import ModuleRules

/// The small tree with different names: other suffixes for Apis and module types, other folders and other layers.
@Suite("Trees with another configuration")
struct ConfiguredTreeTests {
    private static let configuration = """
        api-suffix: Interface
        module-suffix: Plugin
        layers:
          - {name: Ground, folders: [Kit/Ground]}
          - {name: Tools, folders: [Kit/Tools]}
          - {name: Contracts, pairs: apis}
          - {name: Shared, folders: [Shared], pairs: optional}
          - {name: Features, folders: [Features], pairs: required}
          - {name: Products, folders: [Products], apps: true}
        """

    /// In a file's text, replaces the small tree's names with the other names.
    private static func renamed(_ text: String) -> String {
        [
            ("Packages/Core", "Kit/Ground"), ("Packages/Base", "Kit/Tools"), ("Packages/Common", "Shared"),
            ("Packages/Business", "Features"), ("Apps/Shell", "Products/Shell"),
            ("../../Core/", "../../Kit/Ground/"), ("../../Base/", "../../Kit/Tools/"),
            ("../../Common/", "../../Shared/"), ("RideApi", "RideInterface"),
            ("JourneyApi", "JourneyInterface"),
            ("RideModule", "RidePlugin"), ("JourneyModule", "JourneyPlugin"),
        ].reduce(text) { $0.replacing($1.0, with: $1.1) }
    }

    private static func tree() throws -> TemporaryTree {
        let files = SmallTree.files.map { path, text -> (String, String) in
            var text = renamed(text)
            // Kit/Tools and Kit/Ground are in the same folder, so the path between their packages is shorter.
            if path.hasPrefix("Packages/Base") {
                text = text.replacing("../../Kit/Ground", with: "../../Ground")
            }
            return (renamed(path), text)
        }
        return try TemporaryTree(
            Dictionary(uniqueKeysWithValues: files).merging([".modules.yml": configuration]) { $1 })
    }

    @Test("A correct tree with other names and folders has no findings")
    func silent() throws {
        let tree = try Self.tree()
        try tree.commit("Good")
        #expect(try tree.findings() == [])
    }

    @Test("Each rule also reports a violation in a tree with other names", arguments: Break.all)
    func broken(_ edit: Break) throws {
        let tree = try Self.tree()
        let file = Self.renamed(edit.file)
        try tree.edit(file, Self.renamed(edit.old), Self.renamed(edit.new))
        let findings = try tree.findings(edit.rule)
        #expect(
            findings.map(\.place.path) == [
                Self.renamed(edit.place).split(separator: ":").first.map(String.init)
            ])
        #expect(findings.allSatisfy { !"\($0)".contains("RideApi") && !"\($0)".contains("RideModule") })
    }

    @Test("A tree without .modules.yml has no findings, whatever its folders are called")
    func plain() throws {
        let tree = try TemporaryTree([
            "Packages/Core/Settings/Package.swift": SmallTree.manifest(
                "Settings", packages: ["../../Business/PayApi"], uses: ["PayApi"]),
            "Packages/Core/Settings/Sources/Settings/Settings.swift":
                "import PayApi\npublic let module = PayModule()\n",
            "Packages/Business/PayApi/Package.swift": SmallTree.manifest(
                "PayApi", packages: ["../PayActions"], uses: ["PayActions"]),
            "Packages/Business/PayApi/Sources/PayApi/Pay.swift":
                "import PayActions\npublic final class PayModule { public init() { print(Pay.self) } }\n",
            "Packages/Business/PayActions/Package.swift": SmallTree.manifest("PayActions"),
            "Packages/Business/PayActions/Sources/PayActions/Pay.swift": "public enum Pay {}\n",
            "Apps/Package.swift": SmallTree.manifest("Other"), "Apps/Sources/Other/Other.swift": "",
            "VERSIONS.md": "Our versions are on the wiki.\n",
        ])
        #expect(try tree.findings() == [])
        // The same tree has findings once it has an empty .modules.yml, because the default layers contain pairs.
        try tree.write(".modules.yml", "")
        #expect(
            Set(try tree.findings("layers", "pairs").map(\.rule)).isSuperset(of: ["layer-order", "api-alone"])
        )
    }
}
