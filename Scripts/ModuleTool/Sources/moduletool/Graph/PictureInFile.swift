import Foundation
import ModuleEdits
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
    init(_ path: String, in root: String) throws {
        let file = root + "/" + path
        guard let data = FileManager.default.contents(atPath: file) else {
            let isThere = FileManager.default.fileExists(atPath: file)
            throw Diagnostic(
                .configuration, at: file, isThere ? "cannot be read" : "does not exist",
                why: "the diagram is one block of a Markdown file, and the rest is written by hand",
                fix: "pass the file that contains the diagram, or " + Self.begin(path))
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

    /// The diagrams in the READMEs of the tree.
    static func all(in root: String) throws -> [PictureInFile] {
        try ["README.md", "Packages/README.md"].filter {
            FileManager.default.fileExists(atPath: root + "/" + $0)
        }.map { try PictureInFile($0, in: root) }.filter { $0.range != nil }
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

    /// The edit that puts another diagram into the file; nil if the file already shows this diagram.
    func change(showing picture: String) throws -> Change? {
        guard let range else {
            throw Diagnostic(
                .configuration, at: path, "contains no diagram of the tree",
                why: "only a person can decide where the diagram belongs", fix: Self.begin(path))
        }
        guard isUTF8 else {
            throw Diagnostic(
                .configuration, at: path, "is not UTF-8 text",
                why: "writing the diagram would damage the rest of the file", fix: "save the file as UTF-8")
        }
        let wanted = Self.lines(picture)
        guard wanted != Array(lines[range]) else { return nil }
        let text = lines[..<range.lowerBound] + wanted + lines[range.upperBound...]
        return .write(path: path, contents: text.joined(separator: "\n"))
    }

    private static func lines(_ picture: String) -> [String] {
        picture.split(separator: "\n").map(String.init)
    }

    private static func begin(_ name: String) -> String {
        "write a ```mermaid block with the line '\(mark)' where the diagram belongs, and run: "
            + "Scripts/modules graph --write \(name)"
    }
}
