import Foundation

/// A tree of files in a temporary folder, deleted on deinit.
package final class TemporaryTree: Sendable {
    package let root: String

    /// - Parameter files: The files to write, as contents by path.
    package init(_ files: [String: String]) throws {
        root =
            FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "moduletool-test-\(UUID().uuidString)").path()
        for (path, text) in files { try write(path, text) }
    }

    deinit { try? FileManager.default.removeItem(atPath: root) }

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

    /// Runs git in the tree and returns its trimmed output.
    @discardableResult
    package func git(_ arguments: String...) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["git", "-c", "user.name=Tester", "-c", "user.email=t@example.com"] + arguments
        process.currentDirectoryURL = URL(filePath: root)
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Missing(text: "git", path: arguments.joined(separator: " "))
        }
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Commits everything, and returns the commit's hash. Creates the repository at the first call.
    @discardableResult
    package func commit(_ message: String) throws -> String {
        if !FileManager.default.fileExists(atPath: root + "/.git") { try git("init", "-q", "-b", "main") }
        try git("add", "-A")
        try git("commit", "-q", "--allow-empty", "-m", message)
        return try git("rev-parse", "HEAD")
    }
}
