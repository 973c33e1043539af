import Foundation
import ModuleBytes
import ModuleEdits
import ModuleKit

/// A copy of a package of the tool's repository: the file ``path`` in its folder lists the copied files.
struct PackageCopy {
    static let path = ".modules-copy"

    /// The command that made the copy: `add Routes`.
    let command: String
    /// The digests of the copied files, by path in the package's folder.
    let digests: [String: String]

    init(_ files: [String: String], command: String) {
        (self.command, digests) = (command, files.mapValues { ContentDigest(Array($0.utf8)).text })
    }

    /// Reads the copy in a folder; nil if the package there is not a copy.
    init?(in folder: String, of root: TreeRoot) {
        guard let text = root.textIfAny(PathText.join(folder, Self.path)) else { return nil }
        var lines = text.split(separator: "\n").map(String.init)
        lines.removeAll { $0.hasPrefix("#") && !$0.hasPrefix(Self.start) }
        guard let first = lines.first, first.hasPrefix(Self.start) else { return nil }
        command = String(first.dropFirst(Self.start.count))
        digests = lines.dropFirst().reduce(into: [:]) { digests, line in
            let parts = line.split(separator: " ", maxSplits: 1)
            // A path that leaves the folder is none that this tool has written.
            if parts.count == 2, !parts[1].hasPrefix("/"), !parts[1].split(separator: "/").contains("..") {
                digests[String(parts[1])] = String(parts[0])
            }
        }
    }

    private static let start = "# Made by: modules "

    var text: String {
        """
        # This package is a copy. `modules update` replaces these files, unless they were changed here.
        \(Self.start)\(command)
        \(digests.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: "\n"))

        """
    }

    /// The files that differ from what was copied, and the additional ones: their paths in the package's folder.
    func localChanges(in folder: String, of root: TreeRoot) -> [String] {
        let present = root.files(in: folder).map { PathText.path(to: $0, from: folder) }
        return Set(present).union(digests.keys).filter { path in
            let text = root.textIfAny(PathText.join(folder, path))
            return text.map { ContentDigest(Array($0.utf8)).text } != digests[path]
        }.sorted()
    }
}
