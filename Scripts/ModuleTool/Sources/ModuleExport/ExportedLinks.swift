import Foundation
import ModuleEdits

/// The links of a package's Markdown files. All of them have to lead to a file of the package, to the web, or to a
/// heading: outside there is nothing beside the package.
struct ExportedLinks {
    /// The package's files.
    let paths: Set<String>

    /// - Parameters:
    ///   - text: A Markdown file.
    ///   - path: Where it is in the package.
    ///   - place: What an error calls a line of it.
    /// - Throws: ``ModuleEdits/EditError`` for the first link that leads out, or nowhere.
    func check(_ text: String, at path: String, place: (Int) -> String) throws(EditError) {
        var fence = CodeFence()
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            guard !fence.read(line),
                let link = Self.links(in: line).first(where: { !isInside($0, from: path) })
            else {
                continue
            }
            throw EditError(
                .refused, at: place(index + 1), "the link '\(link)' leads out of the package.",
                why: "Outside there is nothing beside it.", mend: "Name what it links to, without a link.")
        }
    }

    /// Where the links of a line lead: `[text](link)`, `[name]: link`, `<a href="link">`. A footnote, `[^1]: text`, has
    /// none.
    private static func links(in line: Substring) -> [String] {
        let prose = line.replacing(/`[^`]*`/, with: "")
        return prose.matches(of: /\]\(\s*<?([^)\s>]+)/).map { String($0.1) }
            + prose.matches(of: /^ {0,3}\[[^\]^][^\]]*\]:\s*<?([^\s>]+)/).map { String($0.1) }
            + prose.matches(of: /(?:href|src)\s*=\s*["']([^"']+)/).map { String($0.1) }
    }

    private func isInside(_ link: String, from path: String) -> Bool {
        if link.hasPrefix("#") || link.contains(/^[A-Za-z][A-Za-z0-9+.\-]*:/) { return true }
        guard !link.hasPrefix("/") else { return false }
        // DocC finds a catalog's files by their names, wherever in the catalog they are.
        if path.contains(".docc/"), !link.contains("/") { return true }
        let target = String(link.prefix { $0 != "#" && $0 != "?" })
        var parts = path.split(separator: "/").dropLast().map(String.init)
        for part in (target.removingPercentEncoding ?? target).split(separator: "/") where part != "." {
            guard part == ".." else {
                parts.append(String(part))
                continue
            }
            guard parts.popLast() != nil else { return false }
        }
        let wanted = parts.joined(separator: "/")
        return wanted.isEmpty || paths.contains(wanted) || paths.contains { $0.hasPrefix(wanted + "/") }
    }
}
