import Foundation

/// A README, taken apart for tests: what it shows must be what is there.
public struct Readme: Sendable {
    /// A block of code.
    public struct Block: Sendable, CustomStringConvertible {
        /// What stands behind its opening fence: `swift`.
        public let language: String
        /// What the comment in the line before it says: `from Sources/Ride/Line.swift`; nil without one.
        public let note: String?
        /// Its lines.
        public let lines: [String]

        /// A block of these parts.
        public init(language: String = "swift", note: String? = nil, lines: [String]) {
            (self.language, self.note, self.lines) = (language, note, lines)
        }

        /// Its lines, each with its end.
        public var text: String { lines.map { $0 + "\n" }.joined() }

        /// Where it says that it is from, and what it is.
        public var description: String { "\(note ?? "no comment before it"):\n\(text)" }

        /// The file that it says it is from.
        public var file: String? {
            guard let note, note.hasPrefix("from ") else { return nil }
            return String(note.dropFirst("from ".count))
        }

        /// Whether its lines stand in a text, whole and one after the other.
        ///
        /// - Parameters:
        ///   - text: Where to look.
        ///   - indented: Whether they may be indented there, all alike, by up to three steps.
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

    /// The folder that the paths in it are relative to.
    public let root: URL
    private let lines: [String]

    /// The README of the package that a test belongs to.
    ///
    /// - Parameter file: The test's own file, in `Tests/XTests`.
    /// - Throws: What reading throws.
    public init(ofPackageOf file: String = #filePath) throws {
        try self.init(
            "README.md",
            in: URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent())
    }

    /// A file with code blocks.
    ///
    /// - Parameters:
    ///   - path: Where it is, relative to `root`.
    ///   - root: The folder that the paths in it are relative to.
    /// - Throws: What reading throws.
    public init(_ path: String, in root: URL) throws {
        self.root = root
        lines = try String(contentsOf: root.appending(path: path), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    /// Its code blocks, in order.
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

    /// The blocks in one language.
    public func blocks(in language: String) -> [Block] { blocks.filter { $0.language == language } }

    /// The blocks of Swift that do not stand in the file that the comment before them names.
    ///
    /// - Parameter indented: Whether they may be indented there.
    public func strayCode(indented: Bool = false) -> [Block] {
        blocks(in: "swift").filter { block in
            let source = block.file.flatMap {
                try? String(contentsOf: root.appending(path: $0), encoding: .utf8)
            }
            return !block.stands(in: source ?? "", indented: indented)
        }
    }

    /// The rows of the table below a heading, each cell without its backquotes.
    public func table(below heading: String) -> [[String]] {
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        return section.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.split(separator: " | ").map { cell in
                cell.trimmingCharacters(in: CharacterSet(charactersIn: "| `"))
            }
        }
    }
}
