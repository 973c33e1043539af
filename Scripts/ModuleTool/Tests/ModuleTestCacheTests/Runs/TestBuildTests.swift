import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

/// Runs `modules test` with a fake `swift build` that prints what it should build.
@Suite("What modules test builds")
struct TestBuildTests {
    private let tool: Tool
    private static let start = "build --build-tests --disable-build-manifest-caching"
    private static let end = "--build-system native --scratch-path"

    init() throws {
        tool = try Tool(in: SmallTree.withTests())
        try tool.installLaunchers()
        try tool.tree.write(
            "bin/swift",
            """
            #!/bin/sh
            case "$1" in
            build) ;;
            *) exec "$REAL_SWIFT" "$@" ;;
            esac
            echo "$*: ${MODULES_TEST_TARGETS-all}, ${OLDPWD-none}, ${MODULETOOL_ROOT-none}"
            [ ! -e broken ]

            """)
        // The built tests.
        try tool.tree.write(
            ".build/debug/AppPackageTests.xctest",
            """
            #!/bin/sh
            [ "$1" != --list-tests ] || exit 0
            trap 'kill $!; echo stopped; exit 1' INT TERM
            echo >'\(tool.tree.root)/.build/ready'
            sleep 60 >/dev/null 2>&1 &
            wait

            """)
        try tool.tree.run("chmod", "+x", ".build/debug/AppPackageTests.xctest")
        try tool.tree.run("chmod", "+x", "bin/swift")
        try tool.tree.write(".gitignore", ".build/\nbroken\n")
        try tool.tree.commit("Start")
    }

    private func build(_ options: String) throws -> Command.Output {
        try tool.attempt(
            "export OLDPWD=/old; REAL_SWIFT=$(command -v swift) PATH=\"$PWD/bin:$PATH\" "
                + "Scripts/modules test --build-only --since HEAD \(options)")
    }

    @Test("A build contains the tests that would run and those that were built before, if not all")
    func targets() throws {
        #expect(try build("").text == "")
        try tool.tree.write("Tests/OneTests/More.swift", "import Testing\n")
        #expect(try build("").text == "\(Self.start) \(Self.end) .build: OneTests, none, none\n")
        // SwiftPM creates this folder for each target that it plans.
        try tool.tree.write(".build/debug/TwoTests.build/output-file-map.json", "")
        try tool.tree.write(".build/debug/Modules/ThreeTests.swiftmodule", "")
        #expect(
            try build("").text == "\(Self.start) \(Self.end) .build: OneTests,ThreeTests, none, none\n")
        #expect(
            try build("-- --parallel --scratch-path .b").text
                == "\(Self.start) --scratch-path .b \(Self.end) .b: OneTests, none, none\n")
        try tool.tree.write(".build/debug/Modules/TwoTests.swiftmodule", "")
        #expect(try build("").text == "\(Self.start) \(Self.end) .build: all, none, none\n")
    }

    @Test("An interrupt ends the tests that run", arguments: ["INT", "TERM"])
    func interrupt(signal: String) throws {
        try tool.tree.write("Tests/OneTests/More.swift", "import Testing\n")
        let run = try Tool.acceptingSignals {
            try tool.attempt(
                """
                mkfifo .build/ready
                REAL_SWIFT=$(command -v swift) PATH="$PWD/bin:$PATH" Scripts/modules test --since HEAD &
                read <.build/ready
                kill -\(signal) $!
                wait $!
                """)
        }
        #expect(run.status == (signal == "INT" ? 130 : 143))
        #expect(run.text.contains("\nstopped\n\nfailed OneTests: the run was interrupted\n"))
        let sentence = "modules: interrupted; the results of the targets that have passed are stored.\n"
        #expect(run.standardError.hasSuffix(sentence), "\(run.standardError)")
    }

    @Test("A second interrupt ends tests that have ignored the first one")
    func secondInterrupt() throws {
        try tool.tree.write("Tests/OneTests/More.swift", "import Testing\n")
        try tool.tree.write(
            ".build/debug/AppPackageTests.xctest",
            """
            #!/bin/sh
            [ "$1" != --list-tests ] || exit 0
            ready='\(tool.tree.root)/.build/ready'
            trap 'echo >"$ready"' INT
            echo >"$ready"
            while true; do sleep 60 >/dev/null 2>&1; done

            """)
        let run = try Tool.acceptingSignals {
            try tool.attempt(
                """
                mkfifo .build/ready
                REAL_SWIFT=$(command -v swift) PATH="$PWD/bin:$PATH" Scripts/modules test --since HEAD &
                read <.build/ready
                kill -INT $!
                read <.build/ready
                kill -INT $!
                wait $!
                """)
        }
        #expect(run.status == 130)
        #expect(run.text.contains("\nfailed OneTests: the run was interrupted\n"), "\(run.text)")
    }

    @Test("An interrupted build ends with a sentence, and not as a failed one")
    func interruptedBuild() throws {
        try tool.tree.write("Tests/OneTests/More.swift", "import Testing\n")
        // SwiftPM catches the signal, and ends with 1.
        try tool.tree.edit("bin/swift", "[ ! -e broken ]", "kill -INT $PPID; kill -INT $$; exit 1")
        try tool.tree.edit("bin/swift", "#!/bin/sh", "#!/bin/sh\ntrap 'exit 1' INT")
        let run = try Tool.acceptingSignals { try build("") }
        #expect(run.status == 130)
        #expect(
            run.standardError.hasSuffix("modules: interrupted; no test has run.\n"), "\(run.standardError)")
    }

    @Test("A build that fails ends the command with its status")
    func failure() throws {
        try tool.tree.write("Tests/OneTests/More.swift", "import Testing\n")
        try tool.tree.write("broken", "")
        #expect(try build("").status == 1)
        let tested = try tool.attempt(
            "REAL_SWIFT=$(command -v swift) PATH=\"$PWD/bin:$PATH\" Scripts/modules test --since HEAD")
        #expect(
            tested.status == 1
                && tested.text.hasSuffix("\(Self.start) \(Self.end) .build: OneTests, none, none\n"))
    }
}
