import Foundation
import ModuleTree

/// The tree's picture inside a Markdown file: a Mermaid block that says which command made it.
struct PictureInFile {
    /// The line that marks the block.
    static let mark = "%% Made by: Scripts/modules graph"

    let path: String
    private let lines: [String]

    /// The lines between the block's fences.
    private let range: Range<Int>?

    /// - Throws: ``ModuleTree/TreeError`` when the file cannot be read; nothing is written then.
    init(path: String, shownAs name: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            let isThere = FileManager.default.fileExists(atPath: path)
            throw TreeError(
                .configuration, path, what: isThere ? "cannot be read" : "is not there",
                why:
                    "the picture is one block of a Markdown file, and what stands around it is for a person to say",
                mend: "name the file that shows the tree, or " + Self.begin(name))
        }
        self.path = path
        lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
            .map(String.init)
        range = lines.firstIndex { $0.hasPrefix(Self.mark) }.flatMap { [lines] mark in
            guard let start = lines[..<mark].lastIndex(where: { $0.hasPrefix("```mermaid") }),
                let end = lines[mark...].firstIndex(where: { $0.hasPrefix("```") })
            else { return nil }
            return start + 1..<end
        }
    }

    /// What is wrong with it, or nil when it shows this picture.
    func finding(for picture: String, shownAs name: String) -> Finding? {
        let why = "a picture that went stale teaches the wrong tree"
        guard let range else {
            return Finding(
                rule: "picture", place: SourcePlace(path: name), what: "shows no picture of the tree",
                why: why, mend: Self.begin(name))
        }
        let wanted = Self.lines(picture)
        let shown = Array(lines[range])
        guard wanted != shown else { return nil }
        let first =
            zip(wanted, shown).enumerated().first { $1.0 != $1.1 }?.offset ?? min(wanted.count, shown.count)
        return Finding(
            rule: "picture", place: SourcePlace(path: name, line: range.lowerBound + first + 1),
            what: "shows a tree that is no more: expected `"
                + (first < wanted.count
                    ? wanted[first].trimmingCharacters(in: .whitespaces) : "the block's end") + "`",
            why: why, mend: "Scripts/modules graph --write \(name)")
    }

    /// Puts a picture in the place of the one shown, and nothing else; the file is replaced in one step.
    ///
    /// - Returns: Whether the file changed.
    /// - Throws: ``ModuleTree/TreeError`` when it shows none, or cannot be written.
    func write(_ picture: String, shownAs name: String) throws -> Bool {
        guard let range else {
            throw TreeError(
                .configuration, name, what: "shows no picture of the tree",
                why: "where it belongs is for a person to say", mend: Self.begin(name))
        }
        let wanted = Self.lines(picture)
        guard wanted != Array(lines[range]) else { return false }
        let text = (lines[..<range.lowerBound] + wanted + lines[range.upperBound...]).joined(separator: "\n")
        do { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) } catch {
            throw TreeError(
                .environment, path, what: "cannot be written: \(error.localizedDescription)",
                why: "the picture has to go somewhere", mend: "see to the file's permissions and free space")
        }
        return true
    }

    private static func lines(_ picture: String) -> [String] {
        picture.split(separator: "\n").map(String.init)
    }

    private static func begin(_ name: String) -> String {
        "write a ```mermaid block with the line '\(mark)' where it belongs, and run: "
            + "Scripts/modules graph --write \(name)"
    }
}
