import Foundation

/// A tree of module pairs in the house form for the checker to read: each pair calls three others, and has ten
/// files. The same number of pairs gives the same tree, byte for byte. It breaks no rule.
///
/// It is for the checker alone: SwiftPM takes 300 traits a package at most.
final class GeneratedTree {
    let folder: URL
    let pairs: Int

    /// Every Swift file of the tree.
    private(set) var sources: [String] = []

    /// Writes the tree below a folder and commits it, since the rules of versions read its history.
    init(pairs: Int, in parent: URL) throws {
        self.pairs = pairs
        folder = parent.appending(path: "tree-\(pairs)")
        let names = (0..<pairs).map { String(format: "Module%04d", $0) }
        try write(GeneratedFiles.shared)
        try write(GeneratedFiles.root(names))
        for (index, name) in names.enumerated() {
            let calls = Set((0..<3).map { names[(index * 7 + $0 * 13 + 1) % pairs] }).subtracting([name])
            try write(GeneratedFiles.api(name))
            try write(GeneratedFiles.imp(name, calling: calls.sorted()))
        }
        let commit = [
            "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "-m", "Generated",
        ]
        for arguments in [["init", "-q"], ["add", "-A"], commit] {
            _ = try Run(["/usr/bin/env", "git", "-C", folder.path] + arguments, allowing: [0])
        }
    }

    private func write(_ files: [String: String]) throws {
        for (path, text) in files {
            let file = folder.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: file)
            if path.hasSuffix(".swift") { sources.append(file.path) }
        }
    }
}
