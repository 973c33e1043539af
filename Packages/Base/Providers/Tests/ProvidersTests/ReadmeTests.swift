import Foundation
import Testing

@Suite("README.md")
struct ReadmeTests {
    /// A code block, and the file that it says it is from.
    struct Block {
        let path: String
        let code: [Substring]

        /// Whether the lines stand in the text one after the other, all indented alike.
        func stands(in text: String) -> Bool {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            guard lines.count >= code.count else { return false }
            return stride(from: 0, through: 12, by: 4).contains { width in
                let indent = String(repeating: " ", count: width)
                let wanted = code.map { $0.isEmpty ? "" : indent + $0 }
                return (0...lines.count - wanted.count).contains { start in
                    lines[start..<start + wanted.count].elementsEqual(wanted) { $0 == $1 }
                }
            }
        }
    }

    private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: package.appending(path: path), encoding: .utf8)
    }

    @Test("Every code block in Swift stands in the file that it is from, word for word")
    func blocks() throws {
        var lines = try text("README.md").split(separator: "\n", omittingEmptySubsequences: false)[...]
        var previous: Substring = ""
        var blocks = 0
        while let line = lines.popFirst() {
            defer { previous = line }
            guard line == "```swift" else { continue }
            let path = try #require(previous.wholeMatch(of: /<!-- from (\S+) -->/)?.output.1, "\(previous)")
            let code = Array(lines.prefix { $0 != "```" })
            lines = lines.dropFirst(code.count)
            let block = Block(path: String(path), code: code)
            #expect(!code.isEmpty)
            #expect(
                block.stands(in: try text(block.path)), "\(block.path) has no \(code.joined(separator: "\n"))"
            )
            blocks += 1
        }
        #expect(blocks == 6)
    }

    @Test("A block that differs in one word, or in its indentation, does not stand there")
    func differs() {
        let text = "let a = 1\n    if b {\n        c()\n    }\n"
        #expect(Block(path: "", code: ["if b {", "    c()", "}"]).stands(in: text))
        #expect(!Block(path: "", code: ["if b {", "    d()", "}"]).stands(in: text))
        #expect(!Block(path: "", code: ["if b {", "c()", "}"]).stands(in: text))
        #expect(!Block(path: "", code: Array(repeating: "x", count: 9)).stands(in: text))
    }
}
