import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

/// Runs `Scripts/test` with a fake `swift` that prints its arguments, and without exporting anything.
@Suite("The script Scripts/test")
struct TestScriptTests {
    let tool: Tool

    init() throws {
        tool = try Tool(in: SmallTree.withTests())
        try tool.installLaunchers()
        for script in ["test", "swift", "ModuleTool/options.bash"] {
            try tool.tree.write("Scripts/\(script)", HouseFiles.text("Scripts/\(script)"))
        }
        try tool.tree.run("chmod", "+x", "Scripts/test")
        let launcher = try tool.tree.read("Scripts/modules")
        try tool.tree.write(
            "Scripts/modules",
            launcher.replacing(
                "\nexec",
                with: """

                    case "$*" in
                    export* | release*) exit ;;
                    test*ModuleTool*) [ ! -e broken ] && echo "ran: modules $*"; exit ;;
                    test*) echo "ran: modules $*"; exit ;;
                    esac
                    exec
                    """))
        try tool.tree.run("chmod", "+x", "Scripts/modules")
        // Only `swift package`, which reads manifests, runs the real swift. `Scripts/swift` passes on TEST_SWIFT.
        try tool.tree.write(
            "../\(tool.tree.url.lastPathComponent).cache/bin/swift",
            """
            #!/bin/sh
            [ "$1" != package ] || exec "$TEST_SWIFT" "$@"
            echo "ran: swift $*"
            case "$*" in
            build*)
                mkdir -p .build-test/Old
                # A build takes longer than a tick of the file system's clock.
                touch .build-test/begun
                until [ .build-test/build.db -nt .build-test/begun ]; do touch .build-test/build.db; done
                if [ -e warning ] && [ ! -e .build-test/Old/A.swift.o ]; then
                    cp warning .build-test/Old/Old.dia
                    touch .build-test/Old/A.swift.o
                    cat warning
                fi ;;
            *BreakMe*) exit 1 ;;
            esac

            """)
        try tool.tree.run("chmod", "+x", "\(tool.tree.root).cache/bin/swift")
        try tool.tree.commit("More")
    }

    private func run(_ arguments: String) throws -> Command.Output {
        try tool.attempt(
            "TEST_SWIFT=$(command -v swift) PATH=\"\(tool.tree.root).cache/bin:$PATH\" Scripts/test \(arguments)"
        )
    }

    @Test("Scripts/test --since checks format, rules and exports, runs affected tests and counts the steps")
    func affected() throws {
        try tool.tree.write("Tests/OneTests/MoreTests.swift", "import Testing\n")
        try tool.tree.write("Tests/TwoTests/More.swift", "// New.\n")
        let wanted = "swift test --filter '^(OneTests|TwoTests)\\.'"
        let listed = try run("--since HEAD --list")
        #expect(listed.text == wanted + "\n")
        let output = try run("--since HEAD")
        #expect(output.status == 0, "\(output.text)\(output.standardError)")
        #expect(output.text.contains("ran: swift format lint"))
        for only in ["--build-only ", ""] {
            #expect(
                output.text.contains(
                    "\nran: modules test --package . --since HEAD \(only)-- --scratch-path .build-test "))
        }
        #expect(output.text.hasSuffix("\ntest: 4 passed, 0 failed\n"))
    }

    @Test(
        "Scripts/test runs its steps in two lanes, and lists the slowest steps and the steps of other levels")
    func twoLanes() throws {
        let output = try run("")
        #expect(output.status == 0, "\(output.text)\(output.standardError)")
        for step in ["format", "tests", "rules", "exports", "tool"] {
            #expect(output.text.contains(try Regex("\n== \(step) passed in \\d+ s\n")), "\(step)")
        }
        #expect(output.text.contains("\nran: modules test --package . -- --scratch-path .build-test "))
        #expect(
            output.text.contains(
                "\nran: modules test --package Scripts/ModuleTool -- --scratch-path .build-launch/"))
        #expect(output.text.contains("\nThe slowest steps:\n  "))
        #expect(output.text.contains("\nLeft to Scripts/test --deep:\n  "))
        #expect(output.text.contains("\n  the packages' tests under the thread sanitizer\n"))
        #expect(output.text.contains("\nLeft to Scripts/test --third-party:\n  pairs in other processes"))
        #expect(output.text.contains(/\ntest: 5 passed, 0 failed, in \d+ s\n$/))
    }

    @Test(
        "A failure in the background lane of Scripts/test fails the run and names the command that repeats the step"
    )
    func backgroundFailure() throws {
        try tool.tree.write("broken", "")
        let output = try run("")
        #expect(output.status == 1)
        #expect(output.text.contains("1 failed: tool\nRepeat this step: Scripts/test --only tool\n"))
        #expect(try run("--only tool").status == 1)
        #expect(try run("--only tests").status == 0)
    }

    @Test(
        "A warning fails the script even if an earlier build printed it; the use of a deprecated declaration passes",
        arguments: [
            ("variable 'number' was never used", Int32(1)), ("'old()' is deprecated: Call new() instead.", 0),
            ("'old()' is deprecated [#DeprecatedDeclaration]", 0),
        ])
    func warnings(_ warning: String, status: Int32) throws {
        try tool.tree.write("warning", "/Sources/Old.swift:2:9: warning: \(warning)\n")
        for _ in 1...2 {
            let output = try run("--only tests")
            #expect(output.status == status, "\(output.text)\(output.standardError)")
            #expect(output.standardError.contains("/Sources/Old.swift:2:9: warning: ") == (status == 1))
        }
    }

    @Test(
        "Scripts/test --since runs all tests if a script has changed, and reports when changes affect no test"
    )
    func everythingOrNothing() throws {
        let output = try run("--since HEAD")
        #expect(output.status == 0)
        #expect(output.text.contains("The changes since HEAD affect no test."))
        #expect(!output.text.contains("ran: swift test"))
        #expect(try run("--since HEAD --list").text.hasPrefix("test: the changes since HEAD affect no test"))
        try tool.tree.write("Scripts/more", "# More.\n")
        let listed = try run("--since HEAD --list").text
        #expect(listed.hasPrefix("swift test\n"))
        #expect(listed.hasSuffix("swift test --package-path 'Packages/Business/Ride'\n"))
    }

    @Test("Scripts/test --since exits with 1 when a test fails")
    func failure() throws {
        try tool.tree.write(
            "Scripts/BreakMe/Package.swift",
            """
            // swift-tools-version: 6.3
            import PackageDescription

            let package = Package(name: "BreakMe", targets: [.testTarget(name: "BreakMeTests")])

            """)
        try tool.tree.write("Scripts/BreakMe/Tests/BreakMeTests/A.swift", "import Testing\n")
        let output = try run("--since HEAD")
        #expect(output.status == 1)
        #expect(
            output.text.hasSuffix("\ntest: 3 passed, 1 failed: swift test --package-path 'Scripts/BreakMe'\n")
        )
        #expect(output.text.contains("ran: swift test --package-path Scripts/BreakMe\n"))
    }

    @Test("Scripts/test rejects invalid arguments")
    func usage() throws {
        for (arguments, status, reason) in [
            ("--since", Int32(2), "needs a revision"), ("--since HEAD --lst", 2, "'--lst'"),
            ("--since nowhere", 3, "nowhere: is not a revision"), ("--quick x", 2, "'x'"),
            ("--quick --only tests", 2, "--quick cannot be combined"),
            ("--only", 2, "needs the name of a step"), ("--only nothing", 2, "the steps are: format tests"),
            ("--deep --since HEAD", 2, "--since cannot be combined"),
            ("--deep --only host", 2, "the steps are: documentation"),
            ("--deep --third-party", 2, "--third-party cannot be combined with --deep"),
            ("--third-party --only nothing", 2, "the steps are: host"),
            ("--list", 2, "--list needs --since"), ("--lst", 2, "'--lst'"),
        ] {
            let output = try run(arguments)
            #expect(output.standardError.contains(reason))
            #expect(output.status == status)
            #expect(!output.text.contains("ran: swift test"))
        }
    }
}
