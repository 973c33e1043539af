import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// Runs the built tool on a copy of this repository.
final class Tool: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "modules-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try HouseFiles.copy(to: folder)
        let (cache, shared) = (
            folder.path + ".cache/moduletool", HouseFiles.cache.appending(path: "manifests")
        )
        for path in [cache, shared.path] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: cache + "/manifests", withDestinationPath: shared.path)
    }

    deinit {
        for path in [folder.path, folder.path + ".cache"] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// The path of the built tool, above the bundle of these tests, or else in the package's debug build.
    static func path() throws -> String {
        // On macOS, the running program is a helper of the toolchain that has loaded the bundle.
        var folder = Bundle(for: Tool.self).bundleURL
        while folder.path != "/" {
            let tool = folder.appending(path: "moduletool").path
            if FileManager.default.isExecutableFile(atPath: tool) { return tool }
            folder.deleteLastPathComponent()
        }
        let built = HouseFiles.root.appending(path: "Scripts/ModuleTool/.build/debug/moduletool").path
        try #require(FileManager.default.isExecutableFile(atPath: built), "The tool is not built.")
        return built
    }

    @discardableResult
    func run(_ arguments: String...) throws -> Command.Output { try run(arguments) }

    /// Runs the tool on the copy.
    ///
    /// - Parameter environment: Variables to add to this process's environment.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Command.Output {
        // With a cache for this copy, unchanged manifests do not start the compiler again.
        let variables = ["XDG_CACHE_HOME=\(folder.path).cache"] + environment.map { "\($0)=\($1)" }
        return try Command.run(
            ["env"] + variables + [Self.path()] + arguments + ["--root", folder.path], in: folder.path)
    }

    /// Runs another program in the copy and requires it to succeed.
    @discardableResult
    func shell(_ arguments: String..., limit: Duration = .seconds(300)) throws -> String {
        let output = try Command.run(arguments, in: folder.path, limit: limit)
        try #require(output.status == 0, "\(arguments): \(output.text)\(output.standardError)")
        return output.text
    }

    /// Writes launcher scripts into the copy. Unlike the real launchers, these scripts do not build the tool.
    func installLaunchers() throws {
        for (script, command) in [
            ("modules", ""), ("new-module", "new-module"), ("check-versions", "check-versions"),
            ("registrations", "registrations"),
        ] {
            try write(
                "#!/bin/sh\nexec env MODULETOOL_ROOT=\"$PWD\" '\(try Self.path())' \(command) \"$@\"\n",
                to: "Scripts/\(script)")
            try shell("chmod", "+x", "Scripts/\(script)")
        }
    }

    /// Runs a shell command in the copy.
    func attempt(_ line: String) throws -> Command.Output {
        try Command.run(["env", "XDG_CACHE_HOME=\(folder.path).cache", "bash", "-c", line], in: folder.path)
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: folder.appending(path: path), encoding: .utf8)
    }

    func write(_ text: String, to path: String) throws {
        let file = folder.appending(path: path)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try text.write(to: file, atomically: true, encoding: .utf8)
    }
}
