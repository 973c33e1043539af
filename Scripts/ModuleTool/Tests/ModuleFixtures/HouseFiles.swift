import Foundation
import ModuleTree
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

    /// Copies the files from which the Shell is built, and a git repository with one commit, to a temporary folder.
    package static func copy() throws -> TemporaryTree { try copy(of: template.get()) }

    package static func copy(of template: TemporaryTree) throws -> TemporaryTree {
        let copy = try TemporaryTree()
        // `cp` is ten times as fast as copying file by file.
        try copy.run("cp", "-a", template.root + "/.", ".")
        return copy
    }

    /// The tree that `copy()` copies. Created once per process.
    package static let template = Result<TemporaryTree, any Error>(catching: {
        let tree = try TemporaryTree()
        removeAtExit([tree.root, tree.root + ".cache"])
        for path in [".modules.yml", "Package.swift", "VERSIONS.md", ".gitignore", ".swift-format"] {
            try copy(path, to: tree.url)
        }
        let tools = ["ModuleTool/Package.swift", "ModuleTool/CHANGELOG.md"]
        let plugin = ["Package.swift", "CHANGELOG.md", "check", "Plugins/ModuleCheck/Plugin.swift"]
        for path in tools + plugin.map({ "ModuleCheck/" + $0 }) { try copy("Scripts/" + path, to: tree.url) }
        // The copy has a history of its own.
        let configuration = try tree.read(".modules.yml").replacing(/(?m)^releases-after:.*\n/, with: "")
        try tree.write(".modules.yml", configuration)
        for part in ["Apps", "Packages"] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: part).path)
            for path in paths
            where (path.hasSuffix(".swift") || path.hasSuffix(".md")) && !path.contains(".build") {
                try copy("\(part)/\(path)", to: tree.url)
            }
        }
        // An export refuses changes that no release contains.
        for (path, text) in try tree.files() where path.hasSuffix("/CHANGELOG.md") {
            try tree.write(path, text.replacing(/(?ms)^## Unreleased\n.*?^(?=## )/, with: ""))
        }
        try tree.commit("Start")
        try tree.git("gc", "-q")
        return tree
    })

    /// Makes a cache folder for a copy of this repository. The folder shares SwiftPM's results for manifests with all
    /// runs of the tests.
    ///
    /// - Parameter facts: The name of the file with the facts of the copied files; nil for an empty cache.
    package static func makeCache(_ folder: String, facts: String?) throws {
        let shared = cache.appending(path: "manifests").path
        for path in [folder, shared] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: folder + "/manifests", withDestinationPath: shared)
        guard let facts else { return }
        try FileManager.default.copyItem(atPath: copiedFacts.get(), toPath: folder + "/" + facts)
    }

    /// The file with the facts of the template's files. Created once per process, because parsing them takes longer than
    /// most tests.
    private static let copiedFacts = Result<String, any Error>(catching: {
        let tree = try template.get().root
        try makeCache(tree + ".cache", facts: nil)
        _ = try TreeReader(root: tree, caching: .file(tree + ".cache/facts")).read()
        return tree + ".cache/facts"
    })

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

    private static func copy(_ path: String, to folder: URL) throws {
        let target = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: root.appending(path: path), to: target)
    }
}
