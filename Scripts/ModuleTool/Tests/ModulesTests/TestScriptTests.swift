import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// `Scripts/test --since`, with a `swift` that says what it is asked for.
@Suite("Scripts/test --since")
struct TestScriptTests {
    let tool: Tool

    init() throws {
        tool = try Tool()
        try tool.installLaunchers()
        let script = HouseFiles.root.appending(path: "Scripts/test")
        try FileManager.default.copyItem(at: script, to: tool.folder.appending(path: "Scripts/test"))
        // Reading manifests is the real one's work. Nothing else is run.
        try tool.write(
            """
            #!/bin/sh
            [ "$1" != package ] || exec "$REAL_SWIFT" "$@"
            echo "ran: swift $*"
            case "$*" in *BreakMe*) exit 1 ;; esac

            """, to: "../\(tool.folder.lastPathComponent).cache/bin/swift")
        try tool.shell("chmod", "+x", "\(tool.folder.path).cache/bin/swift")
        try tool.write("# Tree\n\n```mermaid\n%% Made by: Scripts/modules graph\n```\n", to: "README.md")
        try tool.shell("Scripts/modules", "graph", "--write", "README.md")
        try commit()
    }

    private func commit() throws {
        try tool.shell("git", "add", "--all")
        try tool.shell(
            "git", "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", "More")
    }

    private func run(_ arguments: String) throws -> Command.Output {
        try tool.attempt(
            "REAL_SWIFT=$(command -v swift) PATH=\"\(tool.folder.path).cache/bin:$PATH\" Scripts/test \(arguments)"
        )
    }

    @Test("runs the format, the rules and the affected tests, and counts the steps")
    func affected() throws {
        try tool.write("import Testing\n", to: "Packages/Business/ModuleA/Tests/ModuleATests/MoreTests.swift")
        try tool.write("// New.\n", to: "Packages/Base/Routes/Tests/RoutesTests/More.swift")
        let wanted = "swift test --filter '^(ModuleATests|RoutesTests)\\.'"
        let listed = try run("--since HEAD --list")
        #expect(listed.text == wanted + "\n")
        let output = try run("--since HEAD")
        #expect(output.status == 0, "\(output.text)\(output.standardError)")
        #expect(output.text.contains("ran: swift format lint"))
        #expect(output.text.contains("\nran: swift test --filter ^(ModuleATests|RoutesTests)\\.\n"))
        #expect(output.text.hasSuffix("\ntest: 6 passed, 0 failed\n"))
    }

    @Test("runs all tests when the root manifest or a script changed")
    func everything() throws {
        try tool.write("# More.\n", to: "Scripts/more")
        let listed = try run("--since HEAD --list").text
        #expect(listed.hasPrefix("swift test\n"))
        #expect(listed.contains("swift test --package-path 'Packages/Adapters/"))
    }

    @Test("says so when no test can be reached")
    func nothing() throws {
        #expect(try run("--since HEAD --list").text.hasPrefix("test: no test can be reached"))
        let output = try run("--since HEAD")
        #expect(output.status == 0)
        #expect(output.text.contains("No test can be reached by what changed since HEAD."))
        #expect(!output.text.contains("ran: swift test"))
    }

    @Test("ends with 1 when a test fails")
    func failure() throws {
        try tool.write(
            """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(name: "BreakMe", targets: [.testTarget(name: "BreakMeTests")])

            """, to: "Scripts/BreakMe/Package.swift")
        try tool.write("import Testing\n", to: "Scripts/BreakMe/Tests/BreakMeTests/A.swift")
        let output = try run("--since HEAD")
        #expect(output.status == 1)
        #expect(output.text.hasSuffix("\ntest: 5 passed, 1 failed\n"))
        #expect(output.text.contains("ran: swift test --package-path Scripts/BreakMe\n"))
    }

    @Test(
        "refuses what it does not understand",
        arguments: [
            ("--since", 2, "needs a revision"), ("--since HEAD --lst", 2, "'--lst'"),
            ("--since nowhere", 3, "nowhere: is no revision"), ("--quick x", 2, "stands alone"),
            ("--list", 2, "goes with --since"), ("--lst", 2, "'--lst'"),
        ])
    func usage(arguments: String, status: Int32, reason: String) throws {
        let output = try run(arguments)
        #expect(output.standardError.contains(reason))
        #expect(output.status == status)
        #expect(!output.text.contains("ran: swift test"))
    }
}
