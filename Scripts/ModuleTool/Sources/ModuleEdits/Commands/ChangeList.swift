import Foundation
import ModuleTree

/// Lists changes for people: `+` marks a new file, `-` a removed folder, and `~` an edited file with the
/// lines that differ.
package enum ChangeList {
    /// Compares the changes with the current tree.
    ///
    /// - Parameter withLines: Whether to show the lines that differ, and each file of a new package. Otherwise a new
    ///   package with more than ten files is one line.
    package static func text(_ changes: [Change], in root: HouseRoot, withLines: Bool) -> String {
        let new = changes.map(\.path).filter { !root.exists($0) }
        let folders = new.filter { $0.hasSuffix("/Package.swift") }.map { PathText.split($0).folder }
        let files = Dictionary(grouping: new) { path in folders.first { path.isInside($0) } }
        return changes.map { change in
            if !withLines, let folder = folders.first(where: change.path.isInside), let files = files[folder],
                files.count > 10
            {
                return change.path == files[0] ? "+ \(folder)/ (\(files.count) files)\n" : ""
            }
            switch change {
            case .write(let path, let contents):
                guard let old = try? root.text(path) else {
                    // `init` derives the configuration from the folders, so the user should see and check its text. A
                    // command that writes one file shows what would be in it.
                    let isShown = withLines && (path == Configuration.path || changes.count == 1)
                    return "+ \(path)\n" + (isShown ? difference("", contents) : "")
                }
                if old == contents { return "" }
                return "~ \(path)\n" + (withLines ? difference(old, contents) : "")
            case .copy(let path, _): return "+ \(path)\n"
            case .remove(let path): return "- \(path)\(root.isFolder(path) ? "/" : "")\n"
            }
        }.joined()
    }

    private static func difference(_ old: String, _ new: String) -> String {
        let before = old.split(separator: "\n", omittingEmptySubsequences: false)
        let after = new.split(separator: "\n", omittingEmptySubsequences: false)
        let difference = after.difference(from: before)
        var text = ""
        var (left, right) = (0, 0)
        var (removals, insertions) = (difference.removals[...], difference.insertions[...])
        while left < before.count || right < after.count {
            if case .remove(left, let line, _)? = removals.first {
                text += "    -\(left + 1): \(line)\n"
                removals.removeFirst()
                left += 1
            } else if case .insert(right, let line, _)? = insertions.first {
                text += "    +\(right + 1): \(line)\n"
                insertions.removeFirst()
                right += 1
            } else {
                (left, right) = (left + 1, right + 1)
            }
        }
        return text
    }
}
