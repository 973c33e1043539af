import Foundation
import ModuleKit

extension GitRepository {
    /// A new file that git would ignore.
    package struct IgnoredFile: Sendable {
        /// The path of the file, relative to the folder.
        package let path: String
        /// The line of the ignore file, such as `.gitignore:3`.
        package let line: String
        package let pattern: String
    }

    /// The files among these that git ignores, each with the responsible line. Tracked files do not count.
    ///
    /// Works in a folder that becomes a repository later, and in one that does not exist yet.
    package static func ignored(_ paths: [String], in folder: String) throws -> [IgnoredFile] {
        // The folder that exists, and the path of the other one in it.
        var (place, rest) = (folder, "")
        while place != "/", !Self.isFolder(place) {
            (place, rest) = (PathText.split(place).folder, PathText.join(PathText.split(place).name, rest))
            if place.isEmpty { place = "/" }
        }
        var options: [String] = []
        let temporary = FileManager.default.temporaryDirectory.appending(
            path: "moduletool-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: temporary) }
        if try Git.output(["rev-parse", "--git-dir"], in: place).status != 0 {
            try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
            // `git init` comes later, so the ignore files of outer folders have no effect.
            if !rest.isEmpty { (place, rest) = (temporary.path, "") }
            let repository = temporary.appending(path: "git").path
            _ = try run(["init", "--quiet", "--bare", repository], in: temporary.path)
            options = ["--git-dir", repository, "--work-tree", place]
        }
        let names = paths.map { PathText.join(rest, $0) }
        let output = try Git.output(
            options + ["check-ignore", "--verbose", "-z", "--stdin"], in: place,
            input: Data(names.joined(separator: "\0").utf8))
        // The status is 1 if git ignores none of the files.
        guard output.status < 2 else { throw failure("check-ignore", output, folder) }
        // A line of the output consists of the ignore file, the line, the pattern and the path.
        let fields = fields(output.text).map(String.init)
        return stride(from: 0, to: fields.count - 3, by: 4).compactMap { start in
            let pattern = fields[start + 2]
            guard !pattern.hasPrefix("!") else { return nil }
            return IgnoredFile(
                path: PathText.path(to: fields[start + 3], from: rest),
                line: "\(fields[start]):\(fields[start + 1])", pattern: pattern)
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path) && !Command.isFile(path)
    }
}
