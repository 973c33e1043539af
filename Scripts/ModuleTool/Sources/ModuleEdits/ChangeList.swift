import Foundation
import ModuleKit
import ModuleTree

/// Lists changes for people: `+` marks a new file, `-` a removed file or folder, and `~` an edited file with the
/// lines that differ.
package enum ChangeList {
    /// Compares the changes with the current tree.
    ///
    /// - Parameter withLines: Whether to show the lines that differ, and each file of a new package. Otherwise a new
    ///   package with more than ten files is one line.
    package static func text(_ changes: [Change], in root: TreeRoot, withLines: Bool) -> String {
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
                guard let old = root.textIfAny(path) else {
                    // `init` derives the configuration from the folders, so the user should see and check its text. A
                    // command that writes one file shows what would be in it.
                    let isShown = withLines && (path == Configuration.path || changes.count == 1)
                    return "+ \(path)\n" + (isShown ? difference("", contents) : "")
                }
                if old == contents { return "" }
                return "~ \(path)\n" + (withLines ? difference(old, contents) : "")
            case .copy(let path, _): return "+ \(path)\n"
            case .remove(let path): return "- \(path)\n"
            }
        }.joined()
    }

    private static func difference(_ old: String, _ new: String) -> String {
        func lines(_ text: String) -> [Substring] {
            text.split(separator: "\n", omittingEmptySubsequences: false)
        }
        let difference = lines(new).difference(from: lines(old))
        // Removals come first, and keep this place before an insertion with the same number.
        return difference.map { change in
            switch change {
            case .remove(let index, let line, _): (index, "-", line)
            case .insert(let index, let line, _): (index, "+", line)
            }
        }.sorted { $0.0 < $1.0 }.map { "    \($1)\($0 + 1): \($2)\n" }.joined()
    }
}
