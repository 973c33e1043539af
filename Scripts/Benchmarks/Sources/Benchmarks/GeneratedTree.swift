import Foundation

/// A tree of module pairs for the checker to read. Each pair calls three others and has ten files. The tree breaks no
/// rule, and its bytes depend only on the number of pairs.
///
/// SwiftPM accepts the tree up to 250 pairs: a package may have at most 300 traits.
final class GeneratedTree {
    let folder: URL
    let pairs: Int

    /// The absolute paths of the tree's Swift files, manifests included.
    private(set) var sources: [String] = []

    /// Writes the tree into a subfolder and commits it, because the rules about versions read the git
    /// history.
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
