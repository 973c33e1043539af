import ModuleFixtures
import RuleFixtures
import Testing

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

    @Test("A tree without .modules.yml has no layers, pairs or versions, whatever its folders are called")
    func plain() throws {
        let tree = try SmallTree.make()
        for edit in Break.all where ["api-signature", "imp-hidden"].contains(edit.rule) {
            try tree.edit(edit.file, edit.old, edit.new)
        }
        try tree.write(File.versions, "Our versions are on the wiki.\n")
        try tree.remove(File.configuration)
        let groups = ["pairs", "layers", "registration", "versions"]
        #expect(try tree.findings(groups) == [])
        // The same tree has findings once it has an empty .modules.yml, because the default layers contain pairs.
        try tree.write(File.configuration, "")
        try tree.commit("Configured")
        let found = Set(try tree.findings(groups).map(\.rule))
        #expect(found.isSuperset(of: ["api-signature", "imp-hidden", "version-table"]))
    }
}
