import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// A folder in which `modules init` runs, and a copy of this repository from which it copies packages.
final class NewTree: Sendable {
    /// The folder `app` below it is the tree.
    let place: TemporaryTree
    private let house: TemporaryTree

    /// - Parameter files: The files that the tree has before `init`.
    init(_ files: [String: String] = [:]) throws {
        place = try TemporaryTree(Dictionary(uniqueKeysWithValues: files.map { ("app/" + $0.key, $0.value) }))
        house = try HouseFiles.copy()
        try house.write("Scripts/ModuleTool/launch", "#!/bin/sh\necho \"$MODULETOOL_ROOT: $*\"\n")
        try house.run("chmod", "+x", "Scripts/ModuleTool/launch")
        try house.commit("The tool")
    }

    var root: String { place.root + "/app" }

    @discardableResult
    func run(_ arguments: String...) throws -> Command.Output { try run(arguments) }

    /// Runs the tool beside the tree.
    func run(_ arguments: [String], _ environment: String...) throws -> Command.Output {
        let variables = [
            "XDG_CACHE_HOME=\(place.root)/cache", "MODULETOOL_SOURCES=\(house.root)/Scripts/ModuleTool",
        ]
        return try Command.run(["env"] + variables + environment + [Tool.path()] + arguments, in: place.root)
    }

    /// Runs a command that must succeed in the tree, and returns its output.
    @discardableResult
    func make(_ arguments: String...) throws -> String {
        let output = try run(arguments + (arguments[0] == "init" ? ["app"] : ["--root", "app"]))
        try #require(output.status == 0, "\(arguments): \(output.text)\(output.standardError)")
        return output.text
    }

    /// Runs a shell command in the tree.
    @discardableResult
    func shell(_ line: String, limit: Duration = .seconds(300)) throws -> String {
        let output = try Command.run(
            ["env", "XDG_CACHE_HOME=\(place.root)/cache", "bash", "-c", line], in: root, limit: limit)
        try #require(output.status == 0, "\(line): \(output.text)\(output.standardError)")
        return output.text
    }

    func read(_ path: String) throws -> String { try place.read("app/" + path) }

    /// The contents of the tree's files, without those that git and the tool make.
    func files() throws -> [String: String] {
        try place.files().filter {
            $0.key.hasPrefix("app/") && !$0.key.hasPrefix("app/.git/") && !$0.key.hasPrefix("app/.modules/")
                && !$0.key.hasSuffix("/")
        }
    }
}
