import Foundation

/// The package's README, taken apart for tests.
struct Readme {
    private let root: URL
    private let lines: [String]

    init(file: String = #filePath) throws {
        root = URL(filePath: file).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        lines = try String(contentsOf: root.appending(path: "README.md"), encoding: .utf8)
            .components(separatedBy: "\n")
    }

    /// The rows of the table below a heading, each cell without its backquotes.
    func table(below heading: String) -> [[String]] {
        let section = lines.drop { $0 != heading }.dropFirst().prefix { !$0.hasPrefix("#") }
        return section.filter { $0.hasPrefix("|") }.dropFirst(2).map { line in
            line.split(separator: " | ").map { cell in
                cell.trimmingCharacters(in: CharacterSet(charactersIn: "| `"))
            }
        }
    }

    /// The swift blocks that do not stand verbatim in the file named in the comment before them.
    func strayCode() throws -> [String] {
        var stray: [String] = []
        var blocks = 0
        for (index, line) in lines.enumerated() where line == "```swift" {
            blocks += 1
            let code = lines[(index + 1)...].prefix { $0 != "```" }.joined(separator: "\n")
            let comment = index > 0 ? lines[index - 1] : ""
            let path = comment.dropFirst("<!-- from ".count).dropLast(" -->".count)
            let source = try? String(contentsOf: root.appending(path: String(path)), encoding: .utf8)
            if !comment.hasPrefix("<!-- from ") || !(source ?? "").contains(code) { stray.append(code) }
        }
        return blocks == 0 ? ["the README has no swift block"] : stray
    }
}
