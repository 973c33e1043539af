import Foundation
import ModuleFixtures
import Testing
import ToolFixtures

/// Runs `modules test` with a fake `swift build` and fake built tests, which read from files what happens.
@Suite("The command modules test")
struct TestCommandTests {
    private let tool: Tool
    private var tree: TemporaryTree { tool.tree }

    init() throws {
        tool = try Tool(in: SmallTree.withTests())
        try tool.installLaunchers()
        try write(
            ".build/bin/swift",
            """
            #!/bin/sh
            [ "$1" = build ] || exec "$REAL_SWIFT" "$@"
            [ ! -e '\(tree.root)/.build/build' ] || . '\(tree.root)/.build/build'

            """)
        try write(
            ".build/debug/AppPackageTests.xctest",
            """
            #!/bin/sh
            [ "$1" != --list-tests ] || exit 0
            while [ $# -gt 0 ]; do
                case $1 in
                --skip) skip=$2 ;;
                --event-stream-output-path) events=$2 ;;
                esac
                shift
            done
            event() { echo "{\\"kind\\":\\"$1\\",\\"payload\\":{\\"kind\\":\\"$2\\",$3}}" >>"$events"; }
            for name in One Two Three; do
                case $skip in *"${name}Tests"*) continue ;; esac
                test="\\"${name}Tests.works()\\""
                event test function "\\"id\\":$test"
                folder=$PWD
                cd '\(tree.root)/.build'
                { pwd; echo "in $folder"; env; } >"$name"
                result=pass
                if [ -e "fail-$name" ]; then result=fail; fi
                if [ -e during ]; then . ./during; fi
                event event testEnded "\\"testID\\":$test,\\"messages\\":[{\\"symbol\\":\\"$result\\"}]"
                [ $result = pass ] || status=1
            done
            event event runEnded '\"id\":\"\"'
            exit ${status-0}

            """)
        try write(".gitignore", ".build/\n")
        try tree.commit("Start")
    }

    private func write(_ path: String, _ text: String) throws {
        try tree.write(path, text)
        if text.hasPrefix("#!") { try tree.run("chmod", "+x", path) }
    }

    /// Runs `modules test` after some assignments of variables.
    @discardableResult
    private func test(_ options: String = "", _ variables: String = "", status: Int32 = 0) throws -> String {
        let output = try tool.attempt(
            "unset MODULES_TEST_CACHE MODULES_TEST_TOKEN GITHUB_EVENT_NAME; \(variables) "
                + "REAL_SWIFT=$(command -v swift) PATH=\"$PWD/.build/bin:$PATH\" Scripts/modules test \(options)"
        )
        let text = output.text + output.standardError
        #expect(output.status == status, "\(text)")
        return text
    }

    private static let all = "3 of 3 test targets have to run."
    private static let none = "0 of 3 test targets have to run."

    @Test("Results are stored in the folder that --cache or MODULES_TEST_CACHE selects, or in the user's")
    func caches() throws {
        #expect(try test("--cache .build/a").contains(Self.all))
        #expect(try test("--cache .build/a").contains(Self.none))
        #expect(try test("--list --cache .build/a", "MODULES_TEST_CACHE=.build/b").contains(Self.none))
        #expect(try test("", "MODULES_TEST_CACHE=.build/b").contains(Self.all))
        #expect(try test("--list", "MODULES_TEST_CACHE=.build/b").contains(Self.none))
        #expect(try test("", "MODULES_TEST_CACHE=").contains(Self.all))
        #expect(try test("--list").contains(Self.none))
    }

    @Test("--read-only stores nothing, and is the default for a selected cache in a pull request")
    func readOnly() throws {
        let request = "GITHUB_EVENT_NAME=pull_request"
        for (options, variables, isStored) in [
            ("--cache .build/1", "", true), ("--cache .build/2 --read-only", "", false),
            ("--cache .build/3", request, false), ("--cache .build/4 --no-read-only", request, true),
            ("", request + " MODULES_TEST_CACHE=.build/5", false), ("--read-only", "", false),
            ("", request, true),
        ] {
            let line = "\(options) \(variables)"
            #expect(try test(options, variables).contains("passed OneTests"), "\(line)")
            let known = try test("--list \(options)", variables).contains(Self.none)
            #expect(known == isStored, "\(line)")
        }
    }

    @Test("A server gets the token in MODULES_TEST_TOKEN, and each result that is stored")
    func server() throws {
        try write(
            ".build/bin/curl",
            "#!/bin/sh\ncat >>'\(tree.root)/.build/requests'\necho \"$*\" >>'\(tree.root)/.build/requests'\nprintf '\\n404'\n"
        )
        let text = try test(
            "", "MODULES_TEST_TOKEN=secret MODULES_TEST_CACHE=https://cache.example.com/team")
        let requests = try tree.read(".build/requests")
        #expect(requests.contains("url = \"https://cache.example.com/team/ac/"))
        #expect(requests.contains("header = \"Authorization: Bearer secret\""))
        #expect(requests.contains("--upload-file"))
        #expect(text.contains("warning: https://cache.example.com/team stores no results"))
        try tree.remove(".build/requests")
        try test("--cache https://cache.example.com --read-only")
        let more = try tree.read(".build/requests")
        #expect(!more.contains("--upload-file") && !more.contains("Authorization"))
    }

    @Test(
        "A package without tests, a misspelt package, and an address that is neither a folder nor a server are errors"
    )
    func wrong() throws {
        #expect(
            try test("--package Packages/Business/RideApi", status: 2)
                .contains("Packages/Business/RideApi: is not a package with tests"))
        let misspelt = try test("--package Packages/Business/Rid", status: 2)
        #expect(misspelt.contains("fix:  Choose --package Packages/Business/Ride."))
        #expect(!FileManager.default.fileExists(atPath: tree.root + "/Packages/Business/Rid"))
        #expect(try test("--cache ftp://a", status: 2).contains("is neither a folder nor a server"))
        #expect(try test("--explain OneTest", status: 2).contains("fix:  Choose OneTests."))
        #expect(try test("-- --filter One", status: 2).contains("--filter: cannot be used here"))
    }

    @Test("A failed test is named in the last lines, and its target runs again")
    func failure() throws {
        try write(".build/fail-Two", "")
        let text = try test(status: 1)
        #expect(text.hasSuffix("failed TwoTests: 1 test failed\n       TwoTests.works()\n"), "\(text)")
        #expect(text.contains("passed OneTests: 1 test in") && text.contains("passed ThreeTests: 1 test in"))
        #expect(try test("--list").contains("runs   TwoTests    has not passed in this clone yet\n1 of 3"))
        try tree.remove(".build/fail-Two")
        #expect(try test().contains("passed TwoTests: 1 test in"))
        try write(".build/fail-One", "")
        let hole = try test("--all", status: 1)
        #expect(
            hole.contains(
                "failed OneTests, although it was known to pass with the same inputs\n       OneTests.works()\n"
            ))
    }

    @Test("A target whose process ends early has failed, even with exit code 0")
    func early() throws {
        try write(".build/during", "exit 0")
        let text = try test(status: 1)
        #expect(text.contains("failed OneTests: its process ended before all tests had passed\n"), "\(text)")
        #expect(try test("--list").contains(Self.all))
    }

    @Test("--explain prints each reason once")
    func explain() throws {
        try test()
        try write("Tests/OneTests/A.swift", "import Testing\n")
        try write("Tests/OneTests/B.swift", "import Testing\n")
        let text = try test("--explain OneTests")
        #expect(
            text == """
                runs   OneTests  Tests/OneTests/A.swift is new
                1 of 1 test targets have to run.
                       Tests/OneTests/B.swift is new

                """)
    }

    @Test("A target whose result may be stored has an environment, a home and folders of its own")
    func environment() throws {
        try tree.write(
            ".modules.yml",
            tree.read(".modules.yml") + "reads:\n  - {targets: [TwoTests], environment: [MODE]}\n")
        try write("Tests/ThreeTests/Open.swift", "import Foundation\nlet path = #filePath\n")
        try test("", "unset NO_COLOR; export HOME=/home/a TZ=Asia/Tokyo MODE=fast OTHER=1;")
        let one = try tree.read(".build/One").split(separator: "\n")
        for name in ["MODE", "OTHER", "XDG_CACHE_HOME"] {
            #expect(!one.contains { $0.hasPrefix(name + "=") }, "\(name)")
        }
        #expect(one.contains("TZ=UTC") && one.contains("LANG=C.UTF-8"))
        for (start, end) in [("HOME=", "/home"), ("TMPDIR=", "/tmp"), ("in ", "/work")] {
            let line = try #require(one.first { $0.hasPrefix(start) })
            #expect(line.contains("/mt-") && line.hasSuffix(end))
            #expect(!FileManager.default.fileExists(atPath: String(line.dropFirst(start.count))))
        }
        let two = try tree.read(".build/Two").split(separator: "\n")
        #expect(two.contains("MODE=fast") && !two.contains("OTHER=1") && !two.contains("HOME=/home/a"))
        #expect(two.contains { $0.hasPrefix("in ") && !$0.contains("/mt-") })
        // What a target that always runs reads is unknown.
        let three = try tree.read(".build/Three").split(separator: "\n")
        #expect(three.contains("OTHER=1") && three.contains("HOME=/home/a") && three.contains("NO_COLOR=1"))
    }

    @Test("Tests read nothing from the input of the command")
    func input() throws {
        try write(".build/during", "cat >>input")
        let run = try tool.attempt(
            "export REAL_SWIFT=$(command -v swift) PATH=\"$PWD/.build/bin:$PATH\"; echo yes | Scripts/modules test"
        )
        #expect(run.status == 0)
        #expect(try tree.read(".build/input") == "")
    }

    @Test("No result is stored if another build replaces the tests, or a file is edited and the edit undone")
    func during() throws {
        try write(".build/during", "touch debug/AppPackageTests.xctest")
        #expect(
            try test().contains(
                "passed OneTests, not stored: another build replaced its tests during the run"))
        try write(
            ".build/during", "cp ../Tests/OneTests/OneTests.swift a; cp a ../Tests/OneTests/OneTests.swift")
        #expect(
            try test().contains(
                "passed OneTests, not stored: Tests/OneTests/OneTests.swift was written during the run"))
        try write(".build/during", "touch ../Tests/OneTests/New.swift; rm ../Tests/OneTests/New.swift")
        #expect(
            try test().contains("passed OneTests, not stored: Tests/OneTests was written during the run"))
        #expect(try test("--list").contains("runs   OneTests  "))
    }

    @Test("A run in a focus fails, and stores nothing, if another command changes the focus in the meantime")
    func otherFocus() throws {
        let bundle = "debug/AppPackageTests.xctest"
        try write(".modules/in-focus/.build/\(bundle)", tree.read(".build/\(bundle)"))
        let other = "cd '\(tree.root)'; Scripts/modules focus Journey"
        for (file, script) in [
            ("build", other), ("build", other + "; Scripts/modules focus Ride"),
            ("during", "echo >>'\(tree.root)/.modules/in-focus/Package.swift'"),
        ] {
            try tool.expect("focus Ride")
            try write(".build/" + file, script)
            let options = file == "build" ? ["--focus", "--focus --build-only"] : ["--focus"]
            for options in options {
                let text = try test(options, status: 1)
                #expect(text.contains(".modules/in-focus: another command has changed the focus during"))
                #expect(!text.contains("passed RideTests"), "\(text)")
                try tool.expect("focus Ride")
            }
            try tree.remove(".build/" + file)
            #expect(try test("--focus --list").contains("1 of 1 test targets have to run."))
        }
        #expect(try test("--focus").contains("passed RideTests: 3 tests in"))
        #expect(try test("--focus --list").contains("0 of 1 test targets have to run."))
        // The run sets the time of a restored manifest itself.
        try write(".modules/in-focus/.build/build.db", "")
        try tree.run("touch", "-t", "202001010000", ".modules/in-focus/Package.swift")
        #expect(try test("--focus --all").contains("passed RideTests: 3 tests in"))
    }

    @Test("A program that the tests leave behind is ended, and nobody waits for a daemon")
    func background() throws {
        // macOS has no `setsid`.
        let daemon = "! command -v setsid >/dev/null || setsid sleep 100 &"
        try write(".build/during", "sleep 100 &\n\(daemon)\n")
        let run = try tool.attempt(
            """
            export REAL_SWIFT=$(command -v swift) PATH="$PWD/.build/bin:$PATH"
            timeout -s KILL 60 Scripts/modules test >.build/output 2>&1 && echo ended
            """)
        let output = try tree.read(".build/output")
        #expect(run.text == "ended\n", "\(output)")
    }

    @Test("Two runs do not use a build folder at the same time: the second waits, and says so")
    func lock() throws {
        try write(".build/during", "[ ! -p ready ] || { echo >ready; read line <go; rm ready; }")
        let run = try tool.attempt(
            """
            mkfifo .build/ready .build/go .build/message
            export REAL_SWIFT=$(command -v swift) PATH="$PWD/.build/bin:$PATH"
            Scripts/modules test >.build/first 2>&1 &
            read line <.build/ready
            Scripts/modules test 2>.build/message &
            read line <.build/message
            echo "$line"
            echo >.build/go
            wait
            """)
        #expect(
            run.text.hasPrefix("another Scripts/modules test uses .build; waiting for its end\n"),
            "\(run.text)")
        #expect(run.text.contains(Self.none), "\(run.text)")
        #expect(try tree.read(".build/first").contains("passed OneTests: 1 test in"))
    }
}
