import Foundation
import Testing

@testable import ModuleKit

@Suite("Running other programs")
struct CommandTests {
    /// The number of files that this process has open.
    private func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    }

    @Test("Running a program leaves no pipes open")
    func pipes() throws {
        let before = try openFiles()
        for _ in 0..<60 {
            let output = try Command.run(["cat"], in: "/", input: Data("text".utf8))
            #expect(output.text == "text" && output.status == 0)
        }
        // The bound leaves room for the pipes of other tests, which run programs at the same time.
        #expect(try openFiles() - before < 100)
    }

    @Test("A program may end without reading its input, which is longer than a pipe holds")
    func unreadInput() throws {
        let line = "exec <&-; echo closed; exit 7"
        let output = try Command.run(["sh", "-c", line], in: "/", input: Data(count: 1 << 20))
        #expect(output.status == 7 && output.text == "closed\n")
    }

    @Test("A program is found in PATH, by an absolute path, and by a path relative to its working folder")
    func places() throws {
        for program in ["ls", "/bin/ls", "bin/ls"] {
            #expect(try Command.run([program, "-d", "bin"], in: "/").text == "bin\n")
        }
    }

    @Test(
        "The error for a missing program names the command",
        arguments: ["no-such-program", "/bin/no-such-program", "bin/no-such-program"])
    func missing(program: String) throws {
        let error = try #require(throws: Diagnostic.self) { try Command.run([program, "--help"], in: "/") }
        #expect(error.kind == .environment)
        #expect(error.description.contains("\(program) --help: could not be started"), "\(error)")
    }

    @Test("A program gets additional variables, and a missing git is an error with them too")
    func variables() throws {
        let text = try Command.run(["sh", "-c", "echo $COLOUR"], in: "/", with: ["COLOUR": "red"]).text
        #expect(text == "red\n")
        let error = try #require(throws: Diagnostic.self) {
            try Git.output(["status"], in: "/", with: ["PATH": ""])
        }
        #expect(error.description.contains("git status: could not be started"), "\(error)")
    }

    @Test(
        "A program does not get the variables that differ from call to call, or that leave out test targets")
    func environment() throws {
        let names = [
            "MODULES_TEST_TARGETS", "MODULETOOL_COMMAND", "OLDPWD", "PWD", "SHLVL",
            "SWIFT_DETERMINISTIC_HASHING", "_",
        ]
        for name in names { unsafe setenv(name, "value", 1) }
        let text = try Command.run(["/usr/bin/env"], in: "/").text
        for name in names { #expect(!text.contains("\(name)=value"), "\(text)") }
    }
}
