import Foundation
import ModuleFixtures
import RuleFixtures
import Testing
import ToolFixtures

@Suite("The graph command")
struct GraphCommandTests {
    @Test("Packages with equal or similar names are separate nodes")
    func twins() throws {
        let tree = try TemporaryTree([
            "One/Core/Package.swift": SmallTree.manifest("Core"),
            "Two/Core/Package.swift": SmallTree.manifest("Core"),
            "a-b/Package.swift": SmallTree.manifest("a-b"), "a_b/Package.swift": SmallTree.manifest("a_b"),
        ])
        let text = try Tool(in: tree).expect("graph", 0, "[\"One/Core\"]", "[\"a-b\"]")
        #expect(Set(text.matches(of: /(\w+)\[/).map(\.1)).count == 4, "\(text)")
    }

    @Test("The diagram of a tree of pairs shows calls between pairs and layers, without implied arrows")
    func overview() throws {
        var files = [
            ".modules.yml": "# The layers of this repository.\n",
            "Packages/Base/Kit/Package.swift": SmallTree.manifest("Kit"),
            "Packages/Base/Other/Package.swift": SmallTree.manifest("Other"),
        ]
        for (name, calls) in [("A", ["B", "C"]), ("B", ["C"]), ("C", ["D"]), ("D", ["C"])] {
            let apis = ([name] + calls).map { "\($0)Api" }
            files["Packages/Business/\(name)/Package.swift"] = SmallTree.manifest(
                name, packages: apis.map { "../\($0)" } + ["../../Base/Kit"], uses: apis + ["Kit"])
            files["Packages/Business/\(name)Api/Package.swift"] = SmallTree.manifest("\(name)Api")
        }
        let text = try Tool(in: TemporaryTree(files)).expect("graph", 0, "    p_Kit[\"Kit<br>Other\"]\n")
        let arrows = text.split(separator: "\n").filter { $0.contains(">") && !$0.contains("[") }
        #expect(
            arrows == ["    p_A --> p_B", "    p_B --> p_C", "    p_C <--> p_D", "    Business ==> Base"])
        #expect(!text.contains("Api"))
    }

    @Test("A package that has more targets than the tree has packages is drawn as its targets")
    func targets() throws {
        let tool = try Tool(in: TemporaryTree(GraphPageTests.files))
        let text = try tool.expect(
            "graph", 0, "        subgraph p_Kit[\"Kit\"]\n            p_A[\"A\"]\n",
            "    p_A --> p_B\n    p_A --> p_C\n    p_B --> p_C\n", "p_Game --> p_A\n")
        // The target Tiny appears only with --focus, which draws a target and its neighbours.
        #expect(!text.contains("p_Tiny"))
        #expect(try !tool.expect("graph --focus Tiny", 0, " --> p_Tiny\n").contains("p_A"))
    }

    @Test(
        "A product whose name no module can have is found by its name and its module's, with the import, in why and graph",
        arguments: ["my-kit", "my_kit"])
    func renamed(name: String) throws {
        let (manifest, source) = (File.errorCodeManifest, File.errorCode)
        let tree = try SmallTree.make()
        let tool = try Tool(in: tree)
        try tree.edit(
            manifest, "dependencies: [\n    ]",
            "dependencies: [.package(url: \"https://x.org/kits\", from: \"1.0.0\")]")
        try tree.edit(
            manifest, "dependencies: []", "dependencies: [.product(name: \"my-kit\", package: \"kits\")]")
        try tree.write(source, "import my_kit\n")
        try tool.expect("why ErrorCode \(name)", 0, "\n  imported  \(source):1:1\n")
        try tool.expect("graph --format json", 0, "\"imported\" : [\n        \"\(source):1:1\"\n")
        try tree.edit(manifest, "targets: [\n", "targets: [\n        .target(name: \"my-kit\"),\n")
        try tree.write("Packages/Common/ErrorCode/Sources/my-kit/Kit.swift", "import Mediator\n")
        try tool.expect("why \(name) Mediator", 0, "my-kit (ErrorCode) -> Mediator\n")
    }
}
