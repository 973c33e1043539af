import Foundation
import Testing

@testable import ModuleTree

@Suite("A program that is run")
struct CommandTests {
    /// How many files this process has open.
    private func openFiles() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
    }

    @Test("leaves no pipes open")
    func pipes() throws {
        let before = try openFiles()
        for _ in 0..<200 {
            let output = try Command.run(["cat"], in: "/", input: Data("text".utf8))
            #expect(output.text == "text" && output.status == 0)
        }
        // Other tests run programs at the same time, a few of them.
        #expect(try openFiles() - before < 300)
    }

    @Test("is found in PATH, by its path, and by a path from the folder that it runs in")
    func places() throws {
        for program in ["ls", "/bin/ls", "bin/ls"] {
            #expect(try Command.run([program, "-d", "bin"], in: "/").text == "bin\n")
        }
    }

    @Test(
        "is missed by its name",
        arguments: ["no-such-program", "/bin/no-such-program", "bin/no-such-program"])
    func missing(program: String) throws {
        let error = try #require(throws: TreeError.self) { try Command.run([program, "--help"], in: "/") }
        #expect(error.kind == .environment)
        #expect(error.description.contains("\(program) --help: could not be started"), "\(error)")
    }
}
