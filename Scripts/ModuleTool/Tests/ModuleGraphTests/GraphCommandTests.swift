import Foundation
import ModuleFixtures
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
}
