import Foundation
import ModuleTree

/// All files below the root of a tree, except those that builds and git create.
struct TreeFiles {
    private let root: String
    /// The paths, relative to the root and sorted.
    private let paths: [String]
    private let folders: Sources

    /// Lists the files. Links to folders are followed, unless they lead to a folder around them.
    init(root: String) {
        self.root = root
        var paths: [String] = []
        Self.list("", in: root, around: [], into: &paths)
        self.paths = paths.sorted()
        folders = Sources(self.paths)
    }

    private static func list(
        _ folder: String, in root: String, around: [String], into paths: inout [String]
    ) {
        let absolute = folder.isEmpty ? root : root + "/" + folder
        let real = URL(filePath: absolute).resolvingSymlinksInPath().path
        guard !around.contains(real) else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: absolute)) ?? []
        for name in names where !isIgnored(name) {
            let path = folder.isEmpty ? name : folder + "/" + name
            var isFolder: ObjCBool = false
            _ = unsafe FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder)
            if isFolder.boolValue {
                list(path, in: root, around: around + [real], into: &paths)
            } else {
                paths.append(path)
            }
        }
    }

    /// Whether a name belongs to a folder that builds or git create, such as `.build` or `.build-release`.
    private static func isIgnored(_ name: String) -> Bool {
        name.hasPrefix(".build-") || [".build", ".git", ".swiftpm", ".modules", ".DS_Store"].contains(name)
    }

    /// The files in and below a folder, or the file at this path itself.
    func paths(in folder: String) -> ArraySlice<String> {
        let range = folders.range(in: folder)
        guard range.isEmpty else { return paths[range] }
        return FileManager.default.fileExists(atPath: root + "/" + folder) ? [folder] : []
    }

    /// The contents of files, read in parallel.
    func contents(of paths: Set<String>) -> [String: FileContent] {
        let list = Array(paths)
        let contents = concurrentMap(list) { path in FileContent(root + "/" + path) }
        return Dictionary(uniqueKeysWithValues: zip(list, contents))
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
        let mark = FileManager.default.isExecutableFile(atPath: path) ? "x" : ""
        digest = SHA256.hex(bytes) + mark
        word =
            Self.sources.contains(where: path.hasSuffix) ? Self.words.first { Self.contains($0, bytes) } : nil
    }

    private static let sources = [
        ".swift", ".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".inc", ".m", ".mm",
    ]

    /// The words by which code finds files, variables and programs outside its package.
    static let words = [
        "#filePath", "#file", "__FILE__", "currentDirectoryPath", "../", ".environment[",
        "processInfo.environment",
        "Environment.get", "getenv", "Process(", "Process.", ": Process", "Subprocess", "posix_spawn",
        "posix_spawnp", "popen", "execv", "execvp", "dlopen",
    ]

    /// Whether a word occurs in these bytes, and not in a longer name: `otherProcess(` is not `Process(`.
    private static func contains(_ word: String, _ bytes: [UInt8]) -> Bool {
        let word = Array(word.utf8)
        func isPartOfName(_ byte: UInt8) -> Bool {
            UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
        }
        let (isName, isOpen) = (isPartOfName(word[0]), isPartOfName(word[word.count - 1]))
        return bytes.indices.dropLast(word.count - 1).contains { index in
            let end = index + word.count
            return bytes[index] == word[0] && bytes[index..<end].elementsEqual(word)
                && !(isName && index > 0 && isPartOfName(bytes[index - 1]))
                && !(isOpen && end < bytes.count && isPartOfName(bytes[end]))
        }
    }
}
