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
            [Tool.path(), "check", "import-declared", "--no-cache", "--root", tree.root] + arguments,
            in: tree.root)
    }

    @Test("Every finding is printed, and the reason for a rule once")
    func reasons() throws {
        let output = try check()
        #expect(output.status == 1)
        #expect(output.text.matches(of: /\n *fix:/).count == 13)
        #expect(output.text.matches(of: /why:/).count == 1)
        #expect(
            output.text.contains(
                "\n\nScripts/modules check --fix may fix some of these findings.\n13 findings:"),
            "\(output.text)")
    }

    @Test("The format for Xcode is one line for each finding, and nothing without findings")
    func xcode() throws {
        let lines = try check("--format", "xcode").text.split(separator: "\n")
        #expect(lines.count == 13)
        #expect(
            lines.allSatisfy { line in
                line.hasPrefix(tree.root + "/Packages/")
                    && line.contains(
                        /\.swift:\d+:\d+: error: \w+ is imported, .*; fix: add .*; why: .* \(import-declared\)$/
                    )
            }, "\(lines)")
        let clean = try Command.run(
            [Tool.path(), "check", "cycles", "--no-cache", "--root", tree.root, "--format", "xcode"], in: "/")
        #expect(clean.status == 0 && clean.text == "")
    }
}
