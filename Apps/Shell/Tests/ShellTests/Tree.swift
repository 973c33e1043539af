import Foundation
import Testing

#if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
/// Reads files of the repository that contains these tests, or of a copy.
enum Tree {
    static let root: URL = {
        var folder = URL(fileURLWithPath: #filePath)
        while !FileManager.default.fileExists(atPath: folder.appending(path: "VERSIONS.md").path) {
            precondition(folder.path != "/", "no VERSIONS.md above \(#filePath)")
            folder.deleteLastPathComponent()
        }
        return folder
    }()

    static func text(_ path: String, in root: URL = root) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// Returns the paths of the files that git tracks, or would track after `git add`. The index alone is no input of
    /// `modules test`.
    static func files() throws -> [String] {
        let list = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
        return try Process.run("/usr/bin/env", list, in: root).output.split(separator: "\n").map(String.init)
    }

    /// Returns the number of the first line in a file that contains this text.
    static func line(of text: String, in path: String, root: URL = root) throws -> Int {
        let lines = try self.text(path, in: root).components(separatedBy: "\n")
        return try #require(lines.firstIndex { $0.contains(text) }, "\(path) does not contain \(text)") + 1
    }

    /// Returns the IMP versions from the table in VERSIONS.md, keyed by module name.
    static func versions() throws -> [String: String] {
        let rows = try text("VERSIONS.md").matches(of: /(?m)^\| (\w+) *\| \S+ *\| (\d\S*) *\|/)
        return Dictionary(uniqueKeysWithValues: rows.map { (String($0.1), String($0.2)) })
    }
}

/// The exit status and the output of a finished process.
struct Finished {
    let status: Int32
    let output: String
    let errors: String
}

extension Process {
    /// Runs a program and waits until it exits. A relative program path is resolved against `folder`.
    static func run(
        _ program: String, _ arguments: String..., in folder: URL, environment: [String: String] = [:]
    ) throws -> Finished {
        try run(program, arguments, in: folder, environment: environment)
    }

    static func run(
        _ program: String, _ arguments: [String], in folder: URL, environment: [String: String] = [:]
    ) throws -> Finished {
        let captured = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: captured, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: captured) }
        // The output goes to files, because a full pipe without a reader would block the process.
        func sink(_ name: String) throws -> FileHandle {
            let file = captured.appending(path: name)
            try Data().write(to: file)
            return try FileHandle(forWritingTo: file)
        }
        let process = Process()
        process.executableURL =
            program.hasPrefix("/") ? URL(fileURLWithPath: program) : folder.appending(path: program)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try sink("output")
        process.standardError = try sink("errors")
        try process.run()
        process.waitUntilExit()
        func text(_ name: String) throws -> String {
            String(decoding: try Data(contentsOf: captured.appending(path: name)), as: UTF8.self)
        }
        return Finished(
            status: process.terminationReason == .exit
                ? process.terminationStatus : -process.terminationStatus,
            output: try text("output"), errors: try text("errors"))
    }
}
#endif
