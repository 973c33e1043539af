import Foundation
import ModuleTree

/// All files below the root of a tree, except those that builds and git create.
struct TreeFiles {
    private let root: String
    /// The paths, relative to the root and sorted.
    private let paths: [String]
    private let folders: Sources

    /// Lists the files. Links to folders are followed, unless they lead to a folder around them.
    init(root: String) throws {
        self.root = root
        // `find -L` complains about a link to a folder around it, and about a folder that is deleted meanwhile.
        let ignored = [".build", ".build-*", ".git", ".swiftpm", ".modules", ".DS_Store"]
            .flatMap { ["-name", $0, "-prune", "-o"] }
        let list = try Command.run(["find", "-L", "."] + ignored + ["!", "-type", "d", "-print0"], in: root)
        paths = list.text.split(separator: "\0").map { String($0.dropFirst("./".count)) }.sorted()
        folders = Sources(paths)
    }

    /// The files in and below a folder, or the file at this path itself.
    func paths(in folder: String) -> ArraySlice<String> {
        let range = folders.range(in: folder)
        return range.isEmpty && Command.isFile(root + "/" + folder) ? [folder] : paths[range]
    }

    /// The contents of files, read in parallel.
    func contents(of paths: Set<String>) -> [String: FileContent] {
        let list = Array(paths)
        return Dictionary(
            uniqueKeysWithValues: zip(list, concurrentMap(list) { FileContent(root + "/" + $0) }))
    }
}

/// What a file adds to a key, and what it says about other inputs.
struct FileContent: Sendable {
    let digest: String
    /// The first word that shows that a source file may read something outside its package.
    let word: String?

    init(_ path: String) {
        guard let bytes = FileManager.default.contents(atPath: path).map(Array.init) else {
            (digest, word) = ("missing", nil)
            return
        }
        // Tests can start scripts, so it matters whether a file is executable.
        digest = SHA256.hex(bytes) + (FileManager.default.isExecutableFile(atPath: path) ? "x" : "")
        word =
            Self.sources.contains(where: path.hasSuffix) ? Self.words.first { Self.contains($0, bytes) } : nil
    }

    private static let sources = [
        ".swift", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".inc", ".m", ".mm",
    ]

    /// The words by which code finds files, variables and programs outside its package.
    static let words = [
        "#filePath", "#file", "__FILE__", "currentDirectoryPath", "../", ".environment[",
        ".environment\n", ".environment)", "processInfo.environment", "environ", "Environment.get", "getenv",
        "Process(", "Process.", ": Process", "Subprocess", "posix_spawn",
        "posix_spawnp", "popen", "execv", "execvp", "dlopen",
    ]

    /// Whether a word occurs in these bytes, and not in a longer name: `otherProcess(` is not `Process(`.
    private static func contains(_ word: String, _ bytes: [UInt8]) -> Bool {
        func isPartOfName(_ index: Int) -> Bool {
            guard bytes.indices.contains(index) else { return false }
            return bytes[index] == UInt8(ascii: "_")
                || ("a"..."z").contains(Unicode.Scalar(bytes[index] | 0x20))
        }
        func isInName(_ index: Int) -> Bool { isPartOfName(index - 1) && isPartOfName(index) }
        return bytes.place(of: word) { !isInName($0) && !isInName($0 + word.utf8.count) } != nil
    }
}
