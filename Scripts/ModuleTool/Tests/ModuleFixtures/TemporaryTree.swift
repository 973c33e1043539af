import Foundation
import ModuleKit

/// A tree of files in a temporary folder, deleted on deinit.
package final class TemporaryTree: Sendable {
    package let root: String

    /// - Parameter files: The contents of the files to write, by path.
    package init(_ files: [String: String] = [:]) throws {
        root = HouseFiles.place.appending(path: "moduletool-test-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        for (path, text) in files { try write(path, text) }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

    package var url: URL { URL(filePath: root, directoryHint: .isDirectory) }

    package func write(_ path: String, _ text: String) throws {
        let url = URL(filePath: root + "/" + path)
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url)
    }

    package func read(_ path: String) throws -> String {
        String(decoding: try Data(contentsOf: URL(filePath: root + "/" + path)), as: UTF8.self)
    }

    package func remove(_ path: String) throws {
        try FileManager.default.removeItem(atPath: root + "/" + path)
    }

    /// Replaces all occurrences of a string in a file.
    ///
    /// - Throws: ``Missing`` when the file does not contain the text.
    package func edit(_ path: String, _ old: String, _ new: String) throws {
        let text = try read(path)
        guard text.contains(old) else { throw Missing(text: old, path: path) }
        try write(path, text.replacing(old, with: new))
    }

    package struct Missing: Error { let text: String, path: String }

    /// The contents of all files below a folder, by path, without `.modules` and `.git`. Empty folders appear with
    /// a trailing `/`.
    package func files(in folder: String = ".") throws -> [String: String] {
        let names = try names(in: folder)
        let parents = Set(names.map { PathText.split($0).folder })
        return names.reduce(into: [:]) { files, path in
            if [".modules", ".git"].contains(path.prefix { $0 != "/" }) || parents.contains(path) { return }
            if let data = FileManager.default.contents(atPath: "\(root)/\(folder)/\(path)") {
                files[path] = String(decoding: data, as: UTF8.self)
            } else {
                files[path + "/"] = ""
            }
        }
    }

    /// The paths of all files and folders below a folder.
    package func names(in path: String = ".") throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: root + "/" + path).sorted()
    }

    /// Runs a program in the tree and returns its output.
    @discardableResult
    package func run(_ arguments: String...) throws -> String { try run(arguments) }

    package func run(_ arguments: [String]) throws -> String {
        let output = try Command.run(arguments, in: root)
        guard output.status == 0 else {
            throw Missing(text: output.text + output.standardError, path: arguments.joined(separator: " "))
        }
        return output.text
    }

    /// Runs git in the tree and returns its output without the trailing newline.
    @discardableResult
    package func git(_ arguments: String...) throws -> String {
        // Otherwise, each commit starts a process that looks for work.
        let settings = [
            "user.name=Tester", "user.email=t@example.com", "gc.auto=0", "maintenance.auto=false",
        ]
        return try run(["git"] + settings.flatMap { ["-c", $0] } + arguments)
            .trimmingCharacters(in: .newlines)
    }

    /// An empty repository. Created once per process.
    private static let repository = Result<TemporaryTree, any Error>(catching: {
        let tree = try TemporaryTree()
        HouseFiles.removeAtExit([tree.root])
        try tree.git("init", "-q", "-b", "main", "--template=")
        return tree
    })

    /// Commits all files, and returns the commit's hash. The first call creates the repository.
    @discardableResult
    package func commit(_ message: String) throws -> String {
        if !FileManager.default.fileExists(atPath: root + "/.git") {
            // A copy, because a process costs more.
            let empty = try Self.repository.get().root
            try FileManager.default.copyItem(atPath: empty + "/.git", toPath: root + "/.git")
        }
        try git("add", "-A")
        try git("commit", "-q", "--allow-empty", "-m", message)
        // Reads the files of git, because a process costs more.
        let head = try read(".git/HEAD").trimmingCharacters(in: .newlines)
        return head.hasPrefix("ref: ")
            ? try read(".git/" + head.dropFirst(5)).trimmingCharacters(in: .newlines) : head
    }

    /// Commits the tree twice, so that the second commit releases all versions of VERSIONS.md.
    package func release() throws {
        let versions = try read("VERSIONS.md")
        try write("VERSIONS.md", versions.replacing(/\d+\.\d+\.\d+/, with: "0.0.1"))
        try commit("Before the first release")
        try write("VERSIONS.md", versions)
        try commit("First state")
    }
}
