import Foundation
import ModuleTree

/// Checks the links in a package's Markdown files. Each link must lead to a file in the package, to the web or to a
/// heading, because an exported package has no surrounding tree.
struct ExportedLinks {
    /// The paths of the package's files.
    let paths: Set<String>

    /// - Parameters:
    ///   - text: The text of a Markdown file.
    ///   - path: The file's path in the package.
    ///   - place: Maps a line number, counted from 1, to the place that an error names.
    func check(_ text: String, at path: String, place: (Int) -> String) throws(ToolError) {
        var fence = CodeFence()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !fence.read(line),
                let link = Self.links(in: line).first(where: { !isInside($0, from: path) })
            else {
                continue
            }
            throw ToolError(
                .refused, at: place(index + 1), "the link '\(link)' points outside the package.",
                why: "The link would be broken in the exported package.",
                fix: "Replace the link with plain text.")
        }
    }

    /// The targets of the links in a line: `[text](link)`, `[name]: link`, `<a href="link">`. A footnote,
    /// `[^1]: text`, is not a link.
    private static func links(in line: Substring) -> [String] {
        let prose = line.replacing(/`[^`]*`/, with: "")
        return prose.matches(of: /\]\(\s*<?([^)\s>]+)/).map { String($0.1) }
            + prose.matches(of: /^ {0,3}\[[^\]^][^\]]*\]:\s*<?([^\s>]+)/).map { String($0.1) }
            + prose.matches(of: /(?:href|src)\s*=\s*["']([^"']+)/).map { String($0.1) }
    }

    private func isInside(_ link: String, from path: String) -> Bool {
        if link.hasPrefix("#") || link.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:/) { return true }
        guard !link.hasPrefix("/") else { return false }
        // DocC resolves a file name in any folder of the catalog.
        if path.contains(".docc/"), !link.contains("/") { return true }
        let target = String(link.prefix { $0 != "#" && $0 != "?" })
        let wanted = PathText.join(PathText.split(path).folder, target.removingPercentEncoding ?? target)
        return wanted.isEmpty || paths.contains(wanted) || paths.contains { $0.hasPrefix(wanted + "/") }
    }
}
