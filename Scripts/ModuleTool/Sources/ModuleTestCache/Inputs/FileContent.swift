import Foundation
import ModuleBytes

/// When a file or a folder was written. A program can set the first time to any value, but not the second.
struct FileTimes: Sendable, Hashable {
    /// In nanoseconds. The second one is that of the link, if the path is a newer link.
    let modified: Int, changed: Int

    /// Nil if there is no file.
    init?(_ path: String) {
        var (file, link) = (stat(), stat())
        guard unsafe stat(path, &file) == 0 && lstat(path, &link) == 0 else { return nil }
        #if canImport(Darwin)
        let times = [file.st_mtimespec, file.st_ctimespec, link.st_ctimespec]
        #else
        let times = [file.st_mtim, file.st_ctim, link.st_ctim]
        #endif
        let numbers = times.map { $0.tv_sec * 1_000_000_000 + $0.tv_nsec }
        (modified, changed) = (numbers[0], max(numbers[1], numbers[2]))
    }

    /// Whether the file has another time than that of its last change: a program has set the time, or the file, or a link
    /// to it, has taken the place of another one. So the contents may have changed although the time has not. Programs
    /// that write a file and then rename it need less than a tenth of a second.
    var isSet: Bool { abs(changed - modified) > 100_000_000 }
}

/// What a file adds to a key, and what it says about other inputs.
struct FileContent: Sendable {
    let digest: String
    let times: FileTimes?
    /// The first word that shows that a source file may read something outside its package.
    let word: String?

    /// Whether there is no such file, or it cannot be read.
    var isMissing: Bool { digest == "missing" }

    /// - Parameter path: The path of a file, or that of an empty folder with a slash at its end.
    init(_ path: String) {
        times = FileTimes(path)
        if path.hasSuffix("/"), times != nil {
            (digest, word) = ("empty folder", nil)
            return
        }
        guard let bytes = FileManager.default.contents(atPath: path).map(Array.init) else {
            (digest, word) = ("missing", nil)
            return
        }
        // Tests can start scripts, so it matters whether a file is executable.
        digest = SHA256.hex(bytes) + (FileManager.default.isExecutableFile(atPath: path) ? "x" : "")
        word =
            Self.sources.contains(where: path.hasSuffix)
            ? Self.words.first(in: bytes) { Self.isWord($0, at: $1, bytes) } : nil
    }

    private static let status = Array("\"/proc/self/status\"".utf8)

    private static let sources = [
        ".swift", ".c", ".cc", ".cp", ".cpp", ".cxx", ".c++", ".C", ".ii", ".h", ".hh", ".hpp", ".hxx",
        ".h++",
        ".H", ".inc", ".inl", ".ipp", ".tpp", ".def", ".m", ".mm", ".s", ".S", ".modulemap",
    ]

    /// The words by which code finds files, variables and programs outside its package.
    private static let words = SoughtTexts([
        "#filePath", "#file", ".filePath", "_filePath", "__FILE__", "currentDirectoryPath", "getcwd", "../",
        "CommandLine.arguments", "CommandLine.unsafeArgv", "processInfo.arguments", ".arguments[0]",
        "bundlePath", "bundleURL", "executablePath", "executableURL", "resourcePath", "resourceURL",
        ".environment[", ".environment\n", ".environment)", "processInfo.environment", "environ",
        "Environment.get", "getenv", "secure_getenv", "getpwuid", "getpwnam", "/proc/", ".incbin",
        "Process(", "Process.", ": Process", "Subprocess", "posix_spawn", "posix_spawnp", "popen", "system(",
        "include \"/", "import \"/", "embed \"/", "include </", "import </", "embed </",
        "execl", "execlp", "execv", "execve", "execvp", "fork(", "vfork(", "wordexp", "dlopen",
    ])

    /// Whether the word at an offset is not part of a longer name: `otherProcess(` is not `Process(`. A member such as
    /// `Font.system(` is not the function of C. The literal "/proc/self/status" names nothing outside the process: it is a
    /// file, so no longer path begins with it.
    private static func isWord(_ word: String, at start: Int, _ bytes: [UInt8]) -> Bool {
        func isPartOfName(_ index: Int) -> Bool {
            guard bytes.indices.contains(index) else { return false }
            return bytes[index] == UInt8(ascii: "_")
                || ("a"..."z").contains(Unicode.Scalar(bytes[index] | 0x20))
        }
        func isInName(_ index: Int) -> Bool { isPartOfName(index - 1) && isPartOfName(index) }
        return !isInName(start) && !isInName(start + word.utf8.count)
            && !(word == "system(" && start > 0 && bytes[start - 1] == UInt8(ascii: "."))
            && !(word == "/proc/" && start > 0 && bytes[(start - 1)...].starts(with: status))
    }
}
