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
}
