import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// Runs the built tool on a copy of this repository.
final class Tool: Sendable {
    let folder: URL

    init() throws {
        folder = HouseFiles.place.appending(path: "modules-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try HouseFiles.copy(to: folder)
        try Self.makeCache(folder.path + ".cache", facts: Self.facts.get(), of: folder)
    }

    /// Makes a cache folder for a tree. It shares SwiftPM's results for manifests with all runs of the tests.
    private static func makeCache(_ cache: String, facts: String?, of tree: URL) throws {
        let shared = HouseFiles.cache.appending(path: "manifests").path
        for path in [cache + "/moduletool", shared] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: cache + "/moduletool/manifests", withDestinationPath: shared)
        guard let facts else { return }
        try FileManager.default.copyItem(atPath: facts, toPath: factFile(of: tree, in: cache))
    }

    /// The facts that a check of the unchanged tree has cached. Read once per process, because reading takes longer
    /// than most tests.
    private static let facts = Result<String, any Error>(catching: {
        let tree = try HouseFiles.template.get()
        try makeCache(tree.path + ".cache", facts: nil, of: tree)
        let output = try Command.run(
            ["env", "XDG_CACHE_HOME=\(tree.path).cache", path(), "check", "--root", tree.path], in: tree.path)
        try #require(output.status == 0, "\(output.text)\(output.standardError)")
        return factFile(of: tree, in: tree.path + ".cache")
    })

    /// The file in which the tool caches the facts of a tree.
    private static func factFile(of tree: URL, in cache: String) -> String {
        let name = tree.path.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
        return "\(cache)/moduletool/\(name).facts"
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

    /// Runs the tool on the copy, from outside of it.
    ///
    /// - Parameter environment: Variables to add to this process's environment.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Command.Output {
        // With a cache for this copy, unchanged manifests do not start the compiler again.
        let variables = ["XDG_CACHE_HOME=\(folder.path).cache"] + environment.map { "\($0)=\($1)" }
        return try Command.run(
            ["env"] + variables + [Self.path()] + arguments + ["--root", folder.path], in: "/")
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
