import Foundation

/// This repository's own tree, to be copied by tests that change it.
package enum HouseFiles {
    /// The root of the repository.
    package static let root = (0..<5).reduce(URL(filePath: #filePath)) { url, _ in
        url.deletingLastPathComponent()
    }

    /// Copies what the Shell is built from, and begins a git history with it.
    package static func copy(to folder: URL) throws {
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
        let commands =
            "git init -q && git add -A && git -c user.name=T -c user.email=t@example.com commit -qm Start"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", commands]
        process.currentDirectoryURL = folder
        try process.run()
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
