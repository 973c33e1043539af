#if os(Linux)
import Foundation
import Testing

@Suite("The README and the guide of ApiCenter")
struct ReadmeTests {
    private let text: String

    init() throws {
        text = try ["README.md", "Lifetimes.md"].map {
            try String(contentsOf: Programs.package.appending(path: $0), encoding: .utf8)
        }.joined()
    }

    /// The code blocks in a language, each without its fences.
    private func blocks(_ language: String) -> [String] {
        text.components(separatedBy: "\n```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```\n")[0]
        }
    }

    @Test("The test file in the README is a whole file of these tests")
    func testFile() throws {
        let file = try String(
            contentsOf: Programs.package.appending(path: "Tests/ApiCenterTests/GreetingTests.swift"),
            encoding: .utf8)
        #expect(blocks("swift").filter { $0.contains("import Testing") } == [file])
    }

    @Test("Every other Swift block is a whole program, and prints the text below it")
    func programs() throws {
        let programs = try Programs()
        let sources = blocks("swift").filter { !$0.contains("import Testing") }
        var outputs: [String] = []
        for source in sources {
            try programs.swiftc([
                "-o", "program", "ApiCenter.o", try programs.write(source, to: "main.swift"),
            ])
            let result = try programs.run(programs.folder.path + "/program")
            #expect(result.status == 0)
            outputs.append(result.output)
        }
        #expect(sources.count == 3)
        #expect(outputs == blocks("text"))
    }
}
#endif
