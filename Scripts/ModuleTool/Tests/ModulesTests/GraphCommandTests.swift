import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@Suite("The graph command")
struct GraphCommandTests {
    @Test("The graph command draws packages with equal or similar names as separate nodes")
    func twins() throws {
        let tree = try TemporaryTree([
            "One/Core/Package.swift": SmallTree.manifest("Core"),
            "Two/Core/Package.swift": SmallTree.manifest("Core"),
            "a-b/Package.swift": SmallTree.manifest("a-b"), "a_b/Package.swift": SmallTree.manifest("a_b"),
        ])
        let text = try Tool.alone("graph", "--no-cache", "--root", tree.root, in: "/").text
        let nodes = text.split(separator: "\n").filter { $0.contains("[") }.map { $0.drop { $0 == " " } }
        #expect(Set(nodes.compactMap { $0.split(separator: "[").first }).count == 4)
        #expect(text.contains("[\"One/Core\"]") && text.contains("[\"a-b\"]"))
        #expect(try Tool.alone("check", "--no-cache", "--root", tree.root, in: "/").status == 0)
    }

    @Test(
        "The diagram of a tree of pairs shows calls between pairs and layers, without implied arrows"
    )
    func overview() throws {
        func pair(_ name: String, calls: [String]) -> [String: String] {
            let apis = ([name] + calls).map { "\($0)Api" }
            return [
                "Packages/Business/\(name)/Package.swift": SmallTree.manifest(
                    name, packages: apis.map { "../\($0)" } + ["../../Base/Kit"], uses: apis + ["Kit"]),
                "Packages/Business/\(name)Api/Package.swift": SmallTree.manifest("\(name)Api"),
            ]
        }
        let pairs = [
            pair("A", calls: ["B", "C"]), pair("B", calls: ["C"]), pair("C", calls: ["D"]),
            pair("D", calls: ["C"]),
        ]
        let files = pairs.reduce(
            into: [
                ".modules.yml": "# The layers of this repository.\n",
                "Packages/Base/Kit/Package.swift": SmallTree.manifest("Kit"),
                "Packages/Base/Other/Package.swift": SmallTree.manifest("Other"),
            ]
        ) { $0.merge($1) { $1 } }
        let tree = try TemporaryTree(files)
        let text = try Tool.alone("graph", "--no-cache", "--root", tree.root, in: "/").text
        let arrows = text.split(separator: "\n").filter { $0.contains(">") && !$0.contains("[") }
        #expect(
            arrows == ["    p_A --> p_B", "    p_B --> p_C", "    p_C <--> p_D", "    Business ==> Base"])
        #expect(text.contains("    p_Kit[\"Kit<br>Other\"]\n") && !text.contains("Api"))
    }

    @Test("The graph command creates a self-contained HTML page that marks the findings")
    func page() throws {
        let tree = try SmallTree.withOneCommit()
        try tree.edit(
            "Packages/Business/Journey/Sources/Journey/JourneyService.swift", "import RideApi",
            "import RideApi\nimport Ride")
        let page = try Tool.alone("graph", "--no-cache", "--format", "html", in: tree.root).text
        #expect(!page.contains("http") && !page.contains("<link") && !page.contains("src="))
        // The page has every element that the script looks up by identifier.
        let script = try #require(page.split(separator: "<script>").last)
        let names = try #require(try /\[('map'.*?)\]\.map\(byId\)/.firstMatch(in: script)).1
        for name in names.split(separator: ", ") {
            #expect(page.contains("id=\"\(name.dropFirst().dropLast())\""), "\(name)")
        }
        let json = try #require(try /application\/json">(.*?)<\/script>/.firstMatch(in: page)).1
        let data = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let nodes = try #require(data?["nodes"] as? [[String: Any]])
        let edges = try #require(data?["edges"] as? [[String: Any]])
        let wrong = edges.filter { $0["wrong"] as? Bool == true }
        func ends(of edges: [[String: Any]]) -> [[String?]] {
            edges.map { edge in ["from", "to"].map { nodes[edge[$0] as? Int ?? 0]["name"] as? String } }
        }
        #expect(ends(of: wrong) == [["Journey", "Ride"]])
        let problems = try #require(data?["problems"] as? [[String: Any]])
        #expect(problems.compactMap { $0["rule"] as? String } == ["imp-hidden"])
        let layers = try #require(data?["layers"] as? [String])
        #expect(layers == ["Apps", "Business", "Common", "Api", "Base", "Core"])
    }

    @Test("With --write, the graph command replaces the diagram in a file, and keeps the rest of the file")
    func writePicture() throws {
        let tree = try SmallTree.withOneCommit()
        let mermaid = try Tool.alone("graph", "--no-cache", in: tree.root).text
        let mark = "%% Made by: Scripts/modules graph"
        try tree.write("README.md", "# Tree\r\n\n```mermaid\n\(mark)\n```\n\n```sh\nls\n```\nNo new line")
        try tree.git("add", "README.md")
        #expect(
            try Tool.alone("graph", "--write", "README.md", "--no-cache", in: tree.root + "/Packages").status
                == 0)
        let wanted = "# Tree\r\n\n```mermaid\n\(mermaid)```\n\n```sh\nls\n```\nNo new line"
        #expect(try tree.read("README.md") == wanted)
        #expect(try Tool.alone("check", "diagram-current", "--no-cache", in: tree.root).status == 0)
        let again = try Tool.alone("graph", "--write", "README.md", "--no-cache", in: tree.root)
        #expect(again.status == 0 && again.text.contains("nothing was changed"))

        let focused = try Tool.alone("graph", "--no-cache", "--focus", "ErrorCode", in: tree.root).text
        #expect(focused.contains("    p_Journey --> p_ErrorCode\n") && !focused.contains("Mediator"))
        try tree.edit("README.md", "    p_Journey --> p_Ride\n", "")
        let stale = try Tool.alone("check", "diagram-current", "--no-cache", in: tree.root)
        #expect(stale.status == 1 && stale.text.contains("p_Journey --> p_Ride"))
        #expect(stale.text.contains("fix:  Scripts/modules graph --write README.md\n"))
        try tree.write("README.md", "# Tree\n")
        func expectRefusal(of name: String, _ what: String) throws {
            let none = try Tool.alone("graph", "--write", name, "--no-cache", in: tree.root)
            #expect(none.status == 2 && none.standardError.contains("\(name): \(what)\n"))
            #expect(none.standardError.contains("write a ```mermaid block with the line '\(mark)'"))
        }
        try expectRefusal(of: "README.md", "contains no diagram of the tree")
        #expect(try Tool.alone("check", "diagram-current", "--no-cache", in: tree.root).status == 0)
        #expect(try tree.read("README.md") == "# Tree\n")
        // Rewriting a document that is not UTF-8 would damage the rest of its text.
        let latin = Data("# B\u{E4}ume\n```mermaid\n\(mark)\n```\n".unicodeScalars.map { UInt8($0.value) })
        try latin.write(to: URL(filePath: tree.root + "/README.md"))
        #expect(try Tool.alone("check", "diagram-current", "--no-cache", in: tree.root).status == 1)
        #expect(try Tool.alone("graph", "--write", "README.md", "--no-cache", in: tree.root).status == 2)
        #expect(FileManager.default.contents(atPath: tree.root + "/README.md") == latin)
        try expectRefusal(of: "NONE.md", "does not exist")
    }

    @Test("The graph command draws the targets of a package that has more targets than the tree has packages")
    func targets() throws {
        let tree = try TemporaryTree(GraphPageTests.files)
        let text = try Tool.alone("graph", "--no-cache", "--root", tree.root, in: "/").text
        #expect(text.contains("        subgraph p_Kit[\"Kit\"]\n            p_A[\"A\"]\n"))
        #expect(
            text.contains("    p_A --> p_B\n    p_A --> p_C\n    p_B --> p_C\n")
                && text.contains("p_Game --> p_A\n"))
        // The target Tiny appears only with --focus, which draws a target and its neighbours.
        #expect(!text.contains("p_Tiny"))
        let near = try Tool.alone("graph", "--focus", "Tiny", "--no-cache", "--root", tree.root, in: "/").text
        #expect(near.contains(" --> p_Tiny\n") && !near.contains("p_A"))
    }
}
