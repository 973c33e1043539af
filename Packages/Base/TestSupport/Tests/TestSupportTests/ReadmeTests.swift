import Foundation
import TestSupport
import Testing

@Suite("Readme")
struct ReadmeTests {
    /// Parses `text` as the README of a folder that contains `files`.
    private func look<Value>(
        _ text: String, beside files: [String: String] = [:], _ body: (Readme) throws -> Value
    ) throws -> Value {
        let folder = try TemporaryFolder()
        for (name, text) in files.merging(["README.md": text], uniquingKeysWith: { $1 }) {
            try folder.write(text, to: name)
        }
        return try body(Readme("README.md", in: folder.url))
    }

    @Test("Readme lists the code blocks in order, with their languages and the comments before them")
    func blocks() throws {
        let text =
            """
            # Title
            <!-- from A.swift -->
            ```swift
            let a = 1

            let b = 2
            ```
            ```sh
            ls
            ```

            <!-- a comment -->

            ```
            text
            ```
            <!-- a comment of
            two lines -->
            ```
            ```
            """
        try look(text) { readme in
            #expect(readme.blocks.map(\.language) == ["swift", "sh", "", ""])
            #expect(readme.blocks.map(\.note) == ["from A.swift", nil, nil, nil])
            #expect(readme.blocks.map(\.file) == ["A.swift", nil, nil, nil])
            #expect(readme.blocks.first?.text == "let a = 1\n\nlet b = 2\n")
            #expect(readme.blocks(in: "sh").map(\.lines) == [["ls"]])
        }
    }

    @Test("The method strayCode finds blocks that differ from their file or name no file")
    func stray() throws {
        let text = "<!-- from A.swift -->\n```swift\nlet a = 1\n```\n"
        func stray(_ source: String, of text: String) throws -> Int {
            try look(text, beside: ["A.swift": source]) { $0.strayCode().count }
        }
        #expect(try stray("// One.\nlet a = 1\n", of: text) == 0)
        #expect(try stray("let a = 10\n", of: text) == 1)
        #expect(try stray("    let a = 1\n", of: text) == 1)
        #expect(try stray("let a = 1\n", of: text.replacing("from ", with: "")) == 1)
        #expect(try stray("let a = 1\n", of: text.replacing("A.swift", with: "B.swift")) == 1)
        #expect(try stray("let a = 1\n", of: text.replacing("let a = 1\n", with: "")) == 1)
    }

    @Test("The method stands(in:) rejects a text that differs from the block in one word or in indentation")
    func differs() {
        let text = "let a = 1\n    if b {\n        c()\n    }\n"
        func stands(_ lines: [String]) -> Bool { Readme.Block(lines: lines).stands(in: text, indented: true) }
        #expect(stands(["if b {", "    c()", "}"]))
        #expect(!stands(["if b {", "    d()", "}"]))
        #expect(!stands(["if b {", "c()", "}"]))
        #expect(!stands(Array(repeating: "x", count: 9)))
        #expect(!Readme.Block(lines: ["if b {", "    c()", "}"]).stands(in: text))
        for width in 0...16 {
            let line = String(repeating: " ", count: width) + "x"
            #expect(
                Readme.Block(lines: ["x"]).stands(in: line, indented: true) == [0, 4, 8, 12].contains(width))
        }
    }

    @Test("The method table(below:) returns the rows of the table under a heading")
    func table() throws {
        let text = "## One\n\n| a | b |\n|---|---|\n| `x` | y z |\n\n## Two\n| c |\n|---|\n| d |\n"
        try look(text) { readme in
            #expect(readme.table(below: "## One") == [["x", "y z"]])
            #expect(readme.table(below: "## Three").isEmpty)
        }
    }
}
