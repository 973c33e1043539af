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

    /// - Throws: ``ModuleTree/TreeError`` when the file cannot be read.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw TreeError(
                .configuration, path, what: "cannot be read",
                why: "a picture that is not there cannot be checked",
                mend: "name the Markdown file that shows the tree")
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
                why: why,
                mend: "put the output of `Scripts/modules graph` into a ```mermaid block")
        }
        let wanted = picture.split(separator: "\n").map(String.init)
        let shown = Array(lines[range])
        guard wanted != shown else { return nil }
        let first =
            zip(wanted, shown).enumerated().first { $1.0 != $1.1 }?.offset ?? min(wanted.count, shown.count)
        return Finding(
            rule: "picture", place: SourcePlace(path: name, line: range.lowerBound + first + 1),
            what: "shows a tree that is no more: expected `"
                + (first < wanted.count
                    ? wanted[first].trimmingCharacters(in: .whitespaces) : "the block's end") + "`",
            why: why, mend: "replace the ```mermaid block with the output of `Scripts/modules graph`")
    }
}
