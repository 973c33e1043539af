import Foundation

/// A tree of module pairs for the checker and for SwiftPM. Each pair calls up to three others and has ten files. The
/// tree breaks no rule, and its bytes depend only on the number of pairs.
///
/// SwiftPM accepts at most 300 traits in a package, so in a tree of 300 pairs or more, groups of ten share a trait.
final class GeneratedTree {
    let folder: URL
    let pairs: Int

    /// The absolute paths of the tree's Swift files, manifests included.
    private(set) var sources: [String] = []

    /// Writes the tree into a subfolder and commits it, because the rules about versions read the git
    /// history.
    ///
    /// - Parameters:
    ///   - tool: The path of ModuleTool, which generates the app's list of modules.
    ///   - isDirect: Whether the modules import each other instead of forming pairs.
    init(pairs: Int, in parent: URL, tool: String, isDirect: Bool = false) throws {
        self.pairs = pairs
        folder = parent.appending(path: isDirect ? "direct-\(pairs)" : "tree-\(pairs)")
        let names = (0..<pairs).map(Self.name)
        if isDirect {
            try write(GeneratedFiles.directRoot(names))
        } else {
            try write(GeneratedFiles.shared)
            try write(GeneratedFiles.root(names) { pairs < 300 ? nil : "Group" + $0.dropFirst(6).prefix(3) })
        }
        for (index, name) in names.enumerated() {
            // Each module calls only earlier ones, because direct imports cannot form a cycle.
            let calls =
                index == 0
                ? [] : Set((0..<3).map { names[(index * 7919 + $0 * 104729) / 11 % index] }).sorted()
            if isDirect {
                try write(GeneratedFiles.direct(name, calling: calls))
            } else {
                try write(GeneratedFiles.api(name))
                try write(GeneratedFiles.imp(name, calling: calls))
            }
        }
        if !isDirect { _ = try Run([tool, "registrations", "--root", folder.path], allowing: [0]) }
        let commit = [
            "-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "-q", "-m", "Generated",
        ]
        for arguments in [["init", "-q"], ["add", "-A"], commit] {
            _ = try Run(["/usr/bin/env", "git", "-C", folder.path] + arguments, allowing: [0])
        }
    }

    static func name(_ index: Int) -> String { String(format: "Module%04d", index) }

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
