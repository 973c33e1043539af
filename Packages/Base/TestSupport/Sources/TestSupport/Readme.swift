import Foundation

/// A parsed README, for tests that compare its code blocks and tables with the sources.
public struct Readme: Sendable {
    /// A fenced code block.
    public struct Block: Sendable, CustomStringConvertible {
        /// The language after the opening fence, such as `swift`; empty if the fence names no language.
        public let language: String
        /// The text of the HTML comment on the line before the fence, such as `from Sources/Ride/Line.swift`;
        /// nil if that line has no comment.
        public let note: String?
        /// The lines between the fences.
        public let lines: [String]

        /// Creates a block.
        public init(language: String = "swift", note: String? = nil, lines: [String]) {
            (self.language, self.note, self.lines) = (language, note, lines)
        }

        /// The lines as one string, each followed by a line feed.
        public var text: String { lines.map { $0 + "\n" }.joined() }

        /// The note and the text, for the failure messages of tests.
        public var description: String { "\(note ?? "no comment before it"):\n\(text)" }

        /// The path in a note of the form `from PATH`; nil for any other note.
        public var file: String? {
            guard let note, note.hasPrefix("from ") else { return nil }
            return String(note.dropFirst("from ".count))
        }

        /// Whether a string contains the lines of this block as whole, consecutive lines.
        ///
        /// - Parameters:
        ///   - text: The text to search.
        ///   - indented: Whether the lines may be indented in the text, all of them by 4, by 8 or by 12 spaces.
        public func stands(in text: String, indented: Bool = false) -> Bool {
            let there = text.components(separatedBy: "\n")
            guard !lines.isEmpty, there.count >= lines.count else { return false }
            return stride(from: 0, through: indented ? 12 : 0, by: 4).contains { width in
                let indentation = String(repeating: " ", count: width)
                let wanted = lines.map { $0.isEmpty ? "" : indentation + $0 }
                return (0...there.count - wanted.count).contains { start in
                    there[start..<start + wanted.count].elementsEqual(wanted)
                }
            }
        }
    }

    /// The folder that the paths in the README are relative to.
    public let root: URL
    private let lines: [String]

    /// Reads the README of the calling test's package.
    ///
    /// - Parameter file: The path of the test's own file, which is in `Tests/XTests`.
    /// - Throws: An error if the README cannot be read.
    public init(ofPackageOf file: String = #filePath) throws {
        try self.init(
            "README.md",
            in: URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent())
    }

    /// Reads a Markdown file.
    ///
    /// - Parameters:
    ///   - path: The path of the file, relative to `root`.
    ///   - root: The folder that the paths in the file are relative to.
    /// - Throws: An error if the file cannot be read.
    public init(_ path: String, in root: URL) throws {
        self.root = root
        lines = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    /// The code blocks, in order.
    public var blocks: [Block] {
        var blocks: [Block] = []
        var rest = lines[...]
        var previous = ""
        while let line = rest.popFirst() {
            defer { previous = line }
            guard line.hasPrefix("```") else { continue }
            let code = Array(rest.prefix { $0 != "```" })
            rest = rest.dropFirst(code.count + 1)
            let isNote = previous.hasPrefix("<!-- ") && previous.hasSuffix(" -->")
            blocks.append(
                Block(
                    language: String(line.dropFirst(3)),
                    note: isNote ? String(previous.dropFirst(5).dropLast(4)) : nil, lines: code))
        }
        return blocks
    }

    /// The code blocks in one language.
    public func blocks(in language: String) -> [Block] { blocks.filter { $0.language == language } }

    /// The Swift blocks whose code is missing from the file that their note names, and the Swift blocks without
    /// such a note.
    ///
    /// - Parameter indented: Whether the code may be indented in the file.
    public func strayCode(indented: Bool = false) -> [Block] {
        blocks(in: "swift").filter { block in
            let source = block.file.flatMap {
                try? String(contentsOf: root.appending(path: $0), encoding: .utf8)
            }
            return !block.stands(in: source ?? "", indented: indented)
        }
    }

    /// The rows of the table below a heading, without the backticks around cells.
    public func table(below heading: String) -> [[String]] {
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        return section.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.split(separator: " | ").map { cell in
                cell.trimmingCharacters(in: CharacterSet(charactersIn: "| `"))
            }
        }
    }
}
