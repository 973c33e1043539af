import Foundation
import ModuleFixtures
import ModuleTree
import Testing

@Suite("Reports of findings")
struct ReportTests {
    let tree: TemporaryTree

    /// A tree in which the target RideActions imports two modules in many files without declaring them.
    init() throws {
        tree = try SmallTree.make()
        for number in 10..<20 {
            try tree.write(
                "Packages/Common/RideActions/Sources/RideActions/\(number).swift",
                "import ErrorCode\n" + (number < 12 ? "import ApiCenter\n" : ""))
        }
        try tree.edit(
            "Packages/Common/ErrorCode/Sources/ErrorCode/ErrorCode.swift", "public enum",
            "import ApiCenter\n\npublic enum")
    }

    private func check(_ arguments: String...) throws -> Command.Output {
        try Command.run(
            [Tool.path(), "check", "import-declared", "--no-cache", "--root", tree.root] + arguments, in: "/")
    }

    @Test("Many findings of a rule are grouped by target, and --all prints each finding")
    func groups() throws {
        let output = try check()
        let folder = "Packages/Common/RideActions/Sources/RideActions"
        #expect(output.status == 1)
        let group = """
            import-declared: 12 findings in the target RideActions
              \(folder)/10.swift:1:1: ErrorCode is imported, but the target RideActions does not declare it (10 places)
              \(folder)/10.swift:2:1: ApiCenter is imported, but the target RideActions does not declare it (2 places)
              fix:  add "ErrorCode" to the dependencies at
            """
        #expect(output.text.contains(group), "\(output.text)")
        #expect(output.text.contains(", and 1 more like this\n\n"))
        #expect(output.text.contains("import-declared: 1 finding in the target ErrorCode\n"))
        // The reason is printed only once.
        #expect(output.text.matches(of: /why:/).count == 1)
        #expect(
            output.text.contains(
                "--all prints each.\nScripts/modules check --fix may fix some of these findings.\n13 findings:"
            ),
            "\(output.text)")
        let all = try check("--all").text
        #expect(all.matches(of: /\n *fix:/).count == 13)
        #expect(!all.contains("places)"))
        // Few findings are never grouped.
        try tree.remove("\(folder)/10.swift")
        try tree.remove("\(folder)/11.swift")
        #expect(try check().text.matches(of: /\n *fix:/).count == 9)
    }

    @Test("SARIF contains the rules, and the place of every finding relative to the repository")
    func sarif() throws {
        try tree.write("Packages/Common/Ünit 1/Package.swift", SmallTree.manifest("Other"))
        try tree.write("Packages/Common/Ünit 1/Sources/Other/Other.swift", "import RideApi\n")
        try tree.write("Packages/Business/ride/Package.swift", SmallTree.manifest("ride"))
        let output = try Command.run(
            [
                Tool.path(), "check", "pairs", "imports", "--no-cache", "--format", "sarif", "--root",
                tree.root,
            ], in: "/")
        #expect(output.status == 1)
        let log = try #require(
            try JSONSerialization.jsonObject(with: output.standardOutput) as? [String: Any])
        #expect(log["version"] as? String == "2.1.0")
        #expect(Set(log.keys) == ["$schema", "version", "runs"])
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: [String: Any]])?["driver"])
        #expect(driver["name"] as? String == "ModuleTool")
        let rules = try #require(driver["rules"] as? [[String: Any]])
        #expect(rules.allSatisfy { ($0["shortDescription"] as? [String: String])?["text"]?.isEmpty == false })
        let results = try #require(run["results"] as? [[String: Any]])
        var related = 0
        for result in results {
            let index = try #require(result["ruleIndex"] as? Int)
            #expect(rules[index]["id"] as? String == result["ruleId"] as? String)
            #expect((result["message"] as? [String: String])?["text"]?.contains("\nfix: ") == true)
            let notes = try #require(result["relatedLocations"] as? [[String: Any]])
            #expect(notes.allSatisfy { $0["message"] is [String: String] })
            related += notes.count
            for location in try #require(result["locations"] as? [[String: Any]]) + notes {
                let physical = try #require(location["physicalLocation"] as? [String: Any])
                let uri = try #require((physical["artifactLocation"] as? [String: String])?["uri"])
                #expect(URL(string: uri)?.scheme == nil && !uri.hasPrefix("/"), "\(uri)")
                let path = try #require(uri.removingPercentEncoding)
                #expect(FileManager.default.fileExists(atPath: tree.root + "/" + path), "\(path)")
                let region = try #require(physical["region"] as? [String: Int])
                #expect(try #require(region["startLine"]) >= 1 && #require(region["startColumn"]) >= 1)
            }
        }
        #expect(results.count > 12 && related > 0)
        #expect(output.text.contains("Packages/Common/%C3%9Cnit%201/"))
    }

    @Test("A clean tree is a valid SARIF log without results")
    func cleanSarif() throws {
        let tree = try SmallTree.make()
        try tree.commit("Good")
        let output = try Command.run(
            [Tool.path(), "check", "--no-cache", "--format", "sarif", "--root", tree.root], in: "/")
        #expect(output.status == 0)
        #expect(output.text.contains("\"results\" : ["))
    }
}
