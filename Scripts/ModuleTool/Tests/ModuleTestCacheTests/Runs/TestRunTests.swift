import Foundation
import ModuleFixtures
import ModuleKit
import Testing

@testable import ModuleTestCache

#if os(Linux)
/// Runs tests with a script in place of the built tests, which writes down how it was started. On macOS, SwiftPM starts
/// the tests.
@Suite("Runs of built tests")
struct TestRunTests {
    private let tree: TemporaryTree
    private static let bundle = ".build/debug/AppPackageTests.xctest"

    init() throws {
        tree = try TemporaryTree([
            "list": "A.Ledger/testA\nA.Ledger/testB\nA.Book/testC\nB.Other/testD\nC.three()\n",
            "events": """
            {"kind":"test","payload":{"id":"C.three()","kind":"function"}}
            {"kind":"event","payload":{"kind":"testEnded","testID":"C.three()","messages":[{"symbol":"pass"}]}}
            {"kind":"event","payload":{"kind":"runEnded"}}

            """,
            "results": """
            Test Case 'Ledger.testA' passed (0.5 seconds)
            Test Case 'Ledger.testB' passed (0.5 seconds)
            Test Case 'Book.testC' passed (0.5 seconds)
            Test Suite 'Selected tests' passed at 2026-11-29 08:33:51.276

            """,
        ])
        try tree.write(
            Self.bundle,
            """
            #!/bin/sh
            root='\(tree.root)'
            [ "$1" != --list-tests ] || exec cat "$root/list"
            echo "$*" >>"$root/commands"
            if [ "$1" != --testing-library ]; then exec cat "$root/results"; fi
            while [ "$1" != --event-stream-output-path ]; do shift; done
            cp "$root/events" "$2"

            """)
        try tree.run("chmod", "+x", Self.bundle)
    }

    private func target(_ name: String, tests: Set<String>? = nil) -> TestTarget {
        TestTarget(
            name: name + "Tests", tests: tests ?? [name + "Tests"], module: name, inputs: [:],
            alwaysRuns: nil)
    }

    private func start() throws -> TestRun {
        let options = try SwiftOptions(["--no-parallel"])
        let folder = try BuildFolder(of: "App", in: tree.root, options) { _ in }
        return try TestRun(folder, of: ["A", "B", "C"].map { target($0) }, in: tree.root, options)
    }

    /// The commands that the script has written down.
    private func commands() throws -> [Substring] { try tree.read("commands").split(separator: "\n") }

    @Test("The tests of other targets are left out, but not those of linked ones")
    func others() throws {
        #expect(try start().run(target("C"))?.isComplete() == true)
        #expect(try commands().count == 1)
        let command = try commands()[0]
        #expect(command.hasPrefix("--testing-library swift-testing --no-parallel --skip ^(A|B)\\. --event-"))
        #expect(command.hasSuffix(" --event-stream-version 0"))
        try tree.remove("commands")
        _ = try start().run(target("C", tests: ["ATests", "BTests", "CTests"]))
        #expect(try commands()[0].contains("--no-parallel --event-stream-output-path "))
    }

    @Test("The tests of XCTest run in a process of their own, and have to pass, too")
    func xctest() throws {
        try tree.write("events", #"{"kind":"event","payload":{"kind":"runEnded"}}"#)
        let outcome = try #require(try start().run(target("A")))
        #expect(outcome.isComplete() && outcome.seconds > 0)
        #expect(outcome.found == ["A.Ledger/testA", "A.Ledger/testB", "A.Book/testC"])
        #expect(try commands().dropFirst() == ["A.Book,A.Ledger"])
        // What fails in either process counts.
        try tree.write("events", "")
        #expect(try start().run(target("A"))?.isWhole == false)
        try tree.write("events", #"{"kind":"event","payload":{"kind":"runEnded"}}"#)
        try tree.edit("results", "'Book.testC' passed", "'Book.testC' failed")
        #expect(try start().run(target("A"))?.failed == ["A.Book/testC"])
    }

    @Test("The exit status of the tests counts")
    func status() throws {
        try tree.edit(Self.bundle, "cp \"$root/events\" \"$2\"", "cp \"$root/events\" \"$2\"; exit 1")
        #expect(try start().run(target("C"))?.isWhole == false)
    }

    @Test("Tests that another build replaces are no longer current, and neither is a library beside them")
    func replaced() throws {
        for path in [Self.bundle, ".build/debug/libKit.so"] {
            let run = try start()
            #expect(run.isCurrent)
            try tree.write(path + "-new", path == Self.bundle ? tree.read(path) : "")
            try tree.run("chmod", "+x", path + "-new")
            #expect(run.isCurrent)
            try tree.run("mv", path + "-new", path)
            #expect(!run.isCurrent)
        }
        let run = try start()
        try tree.remove(Self.bundle)
        #expect(!run.isCurrent)
    }

    @Test("Tests that cannot be listed are an error")
    func unlisted() throws {
        try tree.edit(Self.bundle, "exec cat \"$root/list\"", "{ echo broken >&2; exit 1; }")
        let error = #expect(throws: Diagnostic.self) { try start() }
        #expect(error?.what == "does not list its tests: broken\n")
    }

    @Test("A program in a folder whose name contains an equals sign is started")
    func equalsSign() throws {
        try tree.write("a=b/run", "#!/bin/sh\necho \"$1\"\nexit 3\n")
        try tree.run("chmod", "+x", "a=b/run")
        let shown = try Command.show([tree.root + "/a=b/run", "now"], in: tree.root, [:])
        #expect(shown.status == 3 && shown.text == "now\n")
    }
}
#endif
