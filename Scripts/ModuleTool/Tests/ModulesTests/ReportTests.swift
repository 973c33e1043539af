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
}
