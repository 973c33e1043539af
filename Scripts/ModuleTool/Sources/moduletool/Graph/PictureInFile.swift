import Foundation
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

    init(path: String, shownAs name: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw ToolError(
                .configuration, at: path, isThere ? "cannot be read" : "does not exist",
                why: "the diagram is one block of a Markdown file, and the rest is written by hand",
                fix: "pass the file that contains the diagram, or " + Self.begin(name))
        }
        (self.path, isUTF8) = (path, String(data: data, encoding: .utf8) != nil)
        lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        // The launcher script may be in a folder with another name.
        range = lines.firstIndex { $0.hasPrefix("%% Made by: ") && $0.contains("modules graph") }.flatMap {
            [lines] mark in
            guard let start = lines[..<mark].lastIndex(where: { $0.hasPrefix("```mermaid") }),
                let end = lines[mark...].firstIndex(where: { $0.hasPrefix("```") })
            else { return nil }
            return start + 1..<end
        }
    }

    /// The diagrams in the READMEs of the tree, with the paths of the files.
    static func all(in root: String) throws -> [(name: String, picture: PictureInFile)] {
        try ["README.md", "Packages/README.md"].compactMap { name in
            guard FileManager.default.fileExists(atPath: root + "/" + name) else { return nil }
            let picture = try PictureInFile(path: root + "/" + name, shownAs: name)
            return picture.range == nil ? nil : (name, picture)
        }
    }

    /// The first line of the file's diagram that differs from another diagram, and the expected line; nil if there is
    /// no difference.
    func difference(from picture: String) -> (line: Int, wanted: String)? {
        guard let range else { return nil }
        let wanted = Self.lines(picture)
        let shown = Array(lines[range])
        guard wanted != shown else { return nil }
        let same = zip(wanted, shown).prefix { $0 == $1 }.count
        let line = same < wanted.count ? wanted[same].trimmingCharacters(in: .whitespaces) : "the block's end"
        return (range.lowerBound + same + 1, line)
    }

    /// The text of the file with another diagram; nil if the file already shows this diagram.
    func text(showing picture: String, shownAs name: String) throws -> String? {
        guard let range else {
            throw ToolError(
                .configuration, at: name, "contains no diagram of the tree",
                why: "only a person can decide where the diagram belongs", fix: Self.begin(name))
        }
        guard isUTF8 else {
            throw ToolError(
                .configuration, at: name, "is not UTF-8 text",
                why: "writing the diagram would damage the rest of the file", fix: "save the file as UTF-8")
        }
        let wanted = Self.lines(picture)
        guard wanted != Array(lines[range]) else { return nil }
        return (lines[..<range.lowerBound] + wanted + lines[range.upperBound...]).joined(separator: "\n")
    }

    /// Replaces the diagram, and leaves the rest of the file unchanged. The file is replaced atomically.
    ///
    /// - Returns: Whether the file changed.
    func write(_ picture: String, shownAs name: String) throws -> Bool {
        guard let text = try text(showing: picture, shownAs: name) else { return false }
        try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
        return true
    }

    private static func lines(_ picture: String) -> [String] {
        picture.split(separator: "\n").map(String.init)
    }

    private static func begin(_ name: String) -> String {
        "write a ```mermaid block with the line '\(mark)' where the diagram belongs, and run: "
            + "Scripts/modules graph --write \(name)"
    }
}
