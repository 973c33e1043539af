import Foundation
import ModuleFixtures

/// A temporary folder for one test, deleted on deinit.
final class TemporaryFolder: Sendable {
    let url: URL

    init(_ files: [String: String] = [:]) throws {
        url = HouseFiles.place.appending(path: "modules-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (path, contents) in files { try write(contents, to: path) }
    }

    deinit { remove() }

    func remove() { try? FileManager.default.removeItem(at: url) }

    func write(_ contents: String, to path: String) throws {
        let file = url.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try contents.write(to: file, atomically: true, encoding: .utf8)
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: url.appending(path: path), encoding: .utf8)
    }

    /// The contents of all files by path, without `.modules` and `.git`. Empty folders appear with a trailing
    /// `/`.
    func files() throws -> [String: String] {
        var files: [String: String] = [:]
        for path in try FileManager.default.subpathsOfDirectory(atPath: url.path)
        where ![".modules", ".git"].contains(path.split(separator: "/").first) {
            var isFolder: ObjCBool = false
            let file = url.appending(path: path).path
            guard unsafe FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else {
                continue
            }
            if !isFolder.boolValue {
                files[path] = try text(path)
            } else if try FileManager.default.contentsOfDirectory(atPath: file).isEmpty {
                files[path + "/"] = ""
            }
        }
        return files
    }

    func names(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.appending(path: path).path).sorted()
    }
}
