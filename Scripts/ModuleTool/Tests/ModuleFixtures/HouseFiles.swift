import Foundation

/// This repository's files, for tests that read or copy them.
package enum HouseFiles {
    /// The root of this repository.
    package static let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// A cache that all copies and all runs of the tests share, because SwiftPM takes a second per root manifest.
    package static let cache = FileManager.default.temporaryDirectory.appending(path: "modules-tests")

    /// The folder for copies: in memory where possible, because the tests write thousands of files.
    package static let place: URL = {
        let memory = URL(filePath: "/dev/shm", directoryHint: .isDirectory)
        let isUsable = FileManager.default.isWritableFile(atPath: memory.path)
        return isUsable ? memory : FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    }()

    /// Copies the files that the Shell is built from, and commits them to a new git repository.
    package static func copy(to folder: URL) throws {
        try run("/bin/cp", "-a", template.get().path + "/.", folder.path)
    }

    /// The folder that `copy(to:)` copies. Copying it with `cp` is ten times as fast as copying file by file.
    /// Made once per process.
    package static let template = Result<URL, any Error>(catching: {
        let parent = place.appending(path: "modules-house-\(getpid())")
        let folder = parent.appending(path: "tree")
        try? FileManager.default.removeItem(at: parent)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        unsafe removed = parent.path
        atexit { unsafe removed.map { try? FileManager.default.removeItem(atPath: $0) } }
        for path in ["Package.swift", "VERSIONS.md", ".gitignore", ".swift-format"] {
            try copy(path, to: folder)
        }
        for part in ["Apps", "Packages"] {
            let paths = try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: part).path)
            for path in paths
            where (path.hasSuffix(".swift") || path.hasSuffix(".md")) && !path.contains(".build") {
                try copy("\(part)/\(path)", to: folder)
            }
        }
        try run(
            "/bin/sh", "-c",
            "cd '\(folder.path)' && git init -q && git add -A && git -c user.name=T -c user.email=t@example.com commit -qm Start && git gc -q"
        )
        return folder
    })

    /// The path of the template's parent, for the handler that runs when the process exits.
    nonisolated(unsafe) private static var removed: String?

    private static func run(_ program: String, _ arguments: String...) throws {
        let process = try Process.run(URL(filePath: program), arguments: arguments)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    private static func copy(_ path: String, to folder: URL) throws {
        let target = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: root.appending(path: path), to: target)
    }
}
