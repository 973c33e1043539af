import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// Runs the built tool on a copy of this repository.
final class Tool: Sendable {
    let tree: TemporaryTree

    /// - Parameter template: The tree to copy; by default this repository.
    init(_ template: TemporaryTree? = nil) throws {
        tree = try HouseFiles.copy(of: template ?? HouseFiles.template.get())
        try Self.makeCache(tree.root + ".cache", facts: Self.facts.get(), of: tree.root)
    }

    /// Makes a cache folder for a tree. It shares SwiftPM's results for manifests with all runs of the tests.
    static func makeCache(_ cache: String, facts: String?, of tree: String) throws {
        let shared = HouseFiles.cache.appending(path: "manifests").path
        for path in [cache + "/moduletool", shared] {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        try FileManager.default.createSymbolicLink(
            atPath: cache + "/moduletool/manifests", withDestinationPath: shared)
        guard let facts else { return }
        try FileManager.default.copyItem(atPath: facts, toPath: factFile(of: tree, in: cache))
    }

    /// The file with the facts that a check of the unchanged tree has cached. Created once per process, because the
    /// check takes longer than most tests.
    private static let facts = Result<String, any Error>(catching: {
        let tree = try HouseFiles.template.get().root
        try makeCache(tree + ".cache", facts: nil, of: tree)
        let output = try Command.run(
            ["env", "XDG_CACHE_HOME=\(tree).cache", path(), "check", "--root", tree], in: tree)
        try #require(output.status == 0, "\(output.text)\(output.standardError)")
        return factFile(of: tree, in: tree + ".cache")
    })

    /// The file in which the tool caches the facts of a tree.
    private static func factFile(of tree: String, in cache: String) -> String {
        let name = tree.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
        return "\(cache)/moduletool/\(name).facts"
    }

    deinit { try? FileManager.default.removeItem(atPath: tree.root + ".cache") }

    /// The path of the built tool: in a parent folder of the test bundle, or else in the package's debug build.
    static func path() throws -> String {
        // On macOS, the running program is a helper of the toolchain that has loaded the test bundle.
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

    /// Runs the tool in a folder, as if no launcher had started it.
    static func alone(_ arguments: String..., in folder: String) throws -> Command.Output {
        try Command.run(["env", "-u", "MODULETOOL_ROOT", path()] + arguments, in: folder)
    }

    @discardableResult
    func run(_ arguments: String...) throws -> Command.Output { try run(arguments) }

    /// Runs the tool on the copy, from a folder outside the copy.
    ///
    /// - Parameter environment: Variables to add to this process's environment.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Command.Output {
        // With a cache for this copy, unchanged manifests do not start the compiler again.
        let variables =
            ["XDG_CACHE_HOME=\(tree.root).cache", "MODULETOOL_ROOT=\(tree.root)"]
            + environment.map { "\($0)=\($1)" }
        return try Command.run(
            ["env"] + variables + [Self.path()] + arguments + ["--root", tree.root], in: "/")
    }

    /// Writes launcher scripts into the copy. Unlike the real launchers, these scripts do not build the tool.
    func installLaunchers() throws {
        for (script, command) in [
            ("modules", ""), ("new-module", "new-module"), ("check-versions", "check versions"),
            ("registrations", "registrations"),
        ] {
            try tree.write(
                "Scripts/\(script)",
                "#!/bin/sh\nexec env MODULETOOL_ROOT=\"$PWD\" '\(try Self.path())' \(command) \"$@\"\n")
            try tree.run("chmod", "+x", "Scripts/\(script)")
        }
    }

    /// Runs a shell command in the copy.
    func attempt(_ line: String) throws -> Command.Output {
        try Command.run(
            [
                "env", "XDG_CACHE_HOME=\(tree.root).cache", "GIT_AUTHOR_NAME=T",
                "GIT_AUTHOR_EMAIL=t@example.com",
                "GIT_COMMITTER_NAME=T", "GIT_COMMITTER_EMAIL=t@example.com", "bash", "-c", line,
            ], in: tree.root)
    }
}

extension SmallTree {
    /// The small tree in a git repository with one commit.
    static func withOneCommit() throws -> TemporaryTree {
        let tree = try make()
        try tree.commit("Good")
        return tree
    }
}
