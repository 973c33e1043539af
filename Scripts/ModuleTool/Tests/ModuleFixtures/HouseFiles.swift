import Foundation
import Synchronization

/// This repository's files, for tests that read or copy them.
package enum HouseFiles {
    /// The root of this repository.
    package static let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// A cache folder that all copies and all test runs share, because SwiftPM takes a second to read a root
    /// manifest.
    package static let cache = FileManager.default.temporaryDirectory.appending(path: "modules-tests")

    /// The folder for copies: in memory where possible, because the tests write thousands of files.
    package static let place: URL = {
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let isUsable = FileManager.default.isWritableFile(atPath: memory.path)
        return isUsable ? memory : FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    }()

    /// Copies a tree to a temporary folder.
    package static func copy(of template: TemporaryTree) throws -> TemporaryTree {
        let copy = try TemporaryTree()
        // `cp` is ten times as fast as copying file by file.
        try copy.run("cp", "-a", template.root + "/.", ".")
        return copy
    }

    /// The text of a file of this repository.
    package static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Makes a cache folder for a tree. The folder shares SwiftPM's results for manifests with all runs of the tests.
    package static func makeCache(_ folder: String) throws {
        let shared = cache.appending(path: "manifests").path
        for path in [folder, shared] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/manifests", withDestinationPath: shared)
    }

    /// The file that caches the facts of all trees that this process reads. Without a cache, parsing would take most of
    /// a test's time.
    package static let facts: String = {
        let folder = place.appending(path: "moduletool-cache-\(getpid())").path
        removeAtExit([folder])
        return folder + "/facts"
    }()

    private static let removed = Mutex<[String]>([])

    package static func removeAtExit(_ paths: [String]) {
        let isFirst = removed.withLock { removed in
            removed += paths
            return removed.count == paths.count
        }
        guard isFirst else { return }
        atexit {
            HouseFiles.removed.withLock { $0.forEach { try? FileManager.default.removeItem(atPath: $0) } }
        }
    }

    /// Copies files, and folders without their hidden files, such as the products of builds.
    package static func copy(_ paths: [String], to tree: TemporaryTree) throws {
        for path in paths {
            let names = FileManager.default.enumerator(atPath: root.appending(path: path).path)?.allObjects
            let inside = (names as? [String] ?? []).map { path + "/" + $0 }.filter { !$0.contains("/.") }
            for file in [path] + inside {
                let (source, target) = (root.appending(path: file), tree.url.appending(path: file))
                let type = try FileManager.default.attributesOfItem(atPath: source.path)[.type]
                if type as? FileAttributeType == .typeDirectory { continue }
                try FileManager.default.createDirectory(
                    at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
                try FileManager.default.copyItem(at: source, to: target)
            }
        }
    }
}
