import Foundation
import ModuleEdits
import ModuleRules
import ModuleTree

/// The diagram of the tree in a Markdown file: a Mermaid block with a line that names the generating command.
struct PictureInFile {
    /// The line that identifies the block.
    static let mark = "%% Made by: Scripts/modules graph"

    let path: String
    private let lines: [String]
    private let isUTF8: Bool
    /// The lines between the block's fences; nil when the file has no such block.
    private let range: Range<Int>?

    /// - Parameter path: The path of the file, relative to the root.
    init(_ path: String, in root: String) throws(Diagnostic) {
        self.path = path
        guard let data = FileManager.default.contents(atPath: root + "/" + path) else {
            throw Self.missing("this file does not exist or cannot be read", path)
        }
        isUTF8 = String(data: data, encoding: .utf8) != nil
        let lines = String(decoding: data, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.lines = lines
        // The launcher script may be in a folder with another name.
        let mark = lines.firstIndex { $0.hasPrefix("%% Made by: ") && $0.contains("modules graph") }
        let start = mark.flatMap { lines[..<$0].lastIndex { $0.hasPrefix("```mermaid") } }
        let end = mark.flatMap { lines[$0...].firstIndex { $0.hasPrefix("```") } }
        range = if let start, let end { start + 1..<end } else { nil }
    }

    private static func missing(_ what: String, _ path: String) -> Diagnostic {
        Diagnostic(
            .configuration, at: path, what, why: "only a person can decide where the diagram belongs",
            fix: "write a ```mermaid block with the line '\(mark)' where the diagram belongs, and run: "
                + "Scripts/modules graph --write \(path)")
    }

    /// The diagrams in the READMEs of the tree.
    static func all(in root: String) throws -> [PictureInFile] {
        try ["README.md", "Packages/README.md"].filter {
            FileManager.default.fileExists(atPath: root + "/" + $0)
        }.map { try PictureInFile($0, in: root) }.filter { $0.range != nil }
    }

    /// The READMEs whose diagrams do not show the tree, each with the line of the first difference, the text that is
    /// expected there, and the new contents of the file; nil if the file is not UTF-8.
    static func stale(
        in context: RuleContext
    ) throws -> [(path: String, line: Int, wanted: String, contents: String?)] {
        let pictures = try all(in: context.tree.root)
        if pictures.isEmpty { return [] }
        let wanted = try lines(showing: context)
        return pictures.compactMap { picture in
            guard let range = picture.range, let text = picture.contents(showing: wanted) else { return nil }
            let same = zip(wanted, picture.lines[range]).prefix { $0 == $1 }.count
            let line =
                same < wanted.count ? wanted[same].trimmingCharacters(in: .whitespaces) : "the block's end"
            return (picture.path, range.lowerBound + same + 1, line, picture.isUTF8 ? text : nil)
        }
    }

    /// The edit that draws the tree into the file; nil if the file already shows it.
    func change(showing context: RuleContext) throws -> Change? {
        guard range != nil else { throw Self.missing("contains no diagram of the tree", path) }
        guard isUTF8 else {
            throw Diagnostic(
                .configuration, at: path, "is not UTF-8 text",
                why: "writing the diagram would damage the rest of the file", fix: "save the file as UTF-8")
        }
        return contents(showing: try Self.lines(showing: context)).map { .write(path: path, contents: $0) }
    }

    /// The new contents of the file; nil if its diagram shows the tree already.
    private func contents(showing wanted: [String]) -> String? {
        guard let range, wanted != Array(lines[range]) else { return nil }
        return (lines[..<range.lowerBound] + wanted + lines[range.upperBound...]).joined(separator: "\n")
    }

    private static func lines(showing context: RuleContext) throws -> [String] {
        Mermaid(try GraphView(context)).overview().split(separator: "\n").map(String.init)
    }
}
