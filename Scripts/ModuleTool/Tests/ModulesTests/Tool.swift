import Foundation
import ModuleFixtures
import ModuleTree
import Testing

extension Tag {
    /// Builds and runs a whole app: a minute or more.
    @Tag static var endToEnd: Self
}

/// The built tool, and a copy of our own tree for it to work on.
final class Tool: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
            .appending(path: "modules-tool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try HouseFiles.copy(to: folder)
    }

    deinit {
        for path in [folder.path, folder.path + ".cache"] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    /// The tool, which lies beside the tests.
    static func path() throws -> String {
        var folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        while folder.path != "/" {
            let tool = folder.appending(path: "modules").path
            if FileManager.default.isExecutableFile(atPath: tool) { return tool }
            folder.deleteLastPathComponent()
        }
        let built = HouseFiles.root.appending(path: "Scripts/ModuleTool/.build/debug/modules").path
        try #require(FileManager.default.isExecutableFile(atPath: built), "The tool is not built.")
        return built
    }

    @discardableResult
    func run(_ arguments: String...) throws -> Command.Output { try run(arguments) }

    /// - Parameter environment: Variables beside those of this process.
    func run(_ arguments: [String], environment: [String: String] = [:]) throws -> Command.Output {
        // A cache of its own: manifests that did not change need no compiler each time.
        let variables = ["XDG_CACHE_HOME=\(folder.path).cache"] + environment.map { "\($0)=\($1)" }
        return try Command.run(
            ["env"] + variables + [Self.path()] + arguments + ["--root", folder.path], in: folder.path)
    }

    /// Runs another program in the tree, which must succeed.
    @discardableResult
    func shell(_ arguments: String..., limit: Duration = .seconds(300)) throws -> String {
        let output = try Command.run(arguments, in: folder.path, limit: limit)
        try #require(output.status == 0, "\(arguments): \(output.text)\(output.standardError)")
        return output.text
    }

    /// Puts the launchers into the tree, without the building.
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

    /// Runs a line of shell in the tree.
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
