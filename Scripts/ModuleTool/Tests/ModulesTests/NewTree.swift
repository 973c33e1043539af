import Foundation
import ModuleFixtures
import ModuleTree
import Testing

/// A folder in which `modules init` creates trees, with packages that it copies from a clone of this repository.
final class NewTree: Sendable {
    /// Usually contains the tree `app`.
    let place: TemporaryTree
    /// The folder of the tool in the clone.
    private let sources: String

    /// - Parameter files: The files that the tree `app` has before `init`.
    init(_ files: [String: String] = [:]) throws {
        place = try TemporaryTree(Dictionary(uniqueKeysWithValues: files.map { ("app/" + $0.key, $0.value) }))
        try place.write("gitconfig", "[user]\n    name = Tester\n    email = t@example.com\n")
        sources = try Self.house.get().root + "/Scripts/ModuleTool"
        try HouseFiles.makeCache(place.root + "/cache/moduletool", facts: nil)
    }

    /// The clone. Created once per process.
    static let house = Result<TemporaryTree, any Error>(catching: {
        let house = try HouseFiles.copy()
        HouseFiles.removeAtExit([house.root])
        try house.run(
            "cp", HouseFiles.root.appending(path: "Scripts/modules").path, house.root + "/Scripts")
        // Unlike the real launcher, this one does not build the tool.
        try house.write(
            "Scripts/ModuleTool/launch",
            """
            #!/bin/bash
            export MODULETOOL_SOURCES=$(cd "$(dirname "$0")" && pwd -P)
            export MODULETOOL_ROOT=${MODULETOOL_ROOT:-$(dirname "$(dirname "$MODULETOOL_SOURCES")")}
            exec '\(try Tool.path())' "$@"

            """)
        try house.run("chmod", "+x", "Scripts/ModuleTool/launch")
        try house.commit("The tool")
        return house
    })

    var root: String { place.root + "/app" }

    /// Runs the tool in the folder that contains the tree.
    func run(_ arguments: [String], _ environment: String...) throws -> Command.Output {
        try Command.run(
            ["env", "MODULETOOL_SOURCES=\(sources)"] + variables + environment + [Tool.path()] + arguments,
            in: place.root)
    }

    /// Runs a command line of the tool on the tree, and expects its exit code and these parts of its output, which is
    /// returned.
    @discardableResult
    func expect(
        _ line: String, _ status: Int32 = 0, _ parts: String..., at place: SourceLocation = #_sourceLocation
    ) throws -> String {
        let words = line.split(separator: " ").map(String.init)
        let output = try run(words + (words[0] == "init" ? [] : ["--root", "app"]))
        let text = output.text + output.standardError
        try #require(output.status == status, "\(line): \(text)", sourceLocation: place)
        for part in parts { #expect(text.contains(part), "\(line): \(text)", sourceLocation: place) }
        return text
    }

    /// Runs a shell command in a folder, and returns the output. The command must succeed.
    @discardableResult
    func shell(_ line: String, in folder: String = "app") throws -> String {
        let output = try Command.run(
            ["env"] + variables + ["bash", "-c", line], in: place.root + "/" + folder)
        try #require(output.status == 0, "\(line): \(output.text)\(output.standardError)")
        return output.text
    }

    private var variables: [String] {
        ["XDG_CACHE_HOME=\(place.root)/cache", "GIT_CONFIG_GLOBAL=\(place.root)/gitconfig"]
    }

    func read(_ path: String) throws -> String { try place.read("app/" + path) }

    /// The contents of the tree's files, by path, without the folders `.git` and `.modules`.
    func files() throws -> [String: String] {
        try place.files(in: "app").filter { !$0.key.hasSuffix("/") }
    }
}
