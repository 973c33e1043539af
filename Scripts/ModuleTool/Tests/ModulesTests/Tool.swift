import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// Runs the built tool on a copy of this repository, or on a small tree.
final class Tool: Sendable {
    let tree: TemporaryTree

    /// - Parameter template: The tree to copy; by default this repository.
    init(_ template: TemporaryTree? = nil) throws {
        tree = try HouseFiles.copy(of: template ?? HouseFiles.template.get())
        let name = tree.root.map { $0.isLetter || $0.isNumber ? String($0) : "-" }.joined()
        try HouseFiles.makeCache(tree.root + ".cache/moduletool", facts: name + ".facts")
    }

    /// Runs the tool on this tree, with an empty cache.
    init(in tree: TemporaryTree) throws {
        self.tree = tree
        try HouseFiles.makeCache(tree.root + ".cache/moduletool", facts: nil)
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

    /// Runs the tool on the tree, from a folder outside the tree.
    ///
    /// - Parameter environment: Variables to add to this process's environment.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Command.Output {
        // With a cache for this copy, unchanged manifests do not start the compiler again.
        let variables =
            ["XDG_CACHE_HOME=\(tree.root).cache", "MODULETOOL_ROOT=\(tree.root)"]
            + environment.map { "\($0)=\($1)" }
        return try Command.run(
            ["/usr/bin/env"] + variables + [Self.path()] + arguments + ["--root", tree.root], in: "/")
    }

    /// Runs a command line of the tool on the tree, and expects its exit code and these parts of its output, which is
    /// returned.
    @discardableResult
    func expect(
        _ line: String, _ status: Int32 = 0, _ parts: String..., environment: [String: String] = [:],
        at place: SourceLocation = #_sourceLocation
    ) throws -> String {
        let output = try run(line.split(separator: " ").map(String.init), environment: environment)
        let text = output.text + output.standardError
        #expect(output.status == status, "\(line): \(text)", sourceLocation: place)
        for part in parts { #expect(text.contains(part), "\(line): \(text)", sourceLocation: place) }
        return text
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
