import Foundation
import ModuleFixtures
import ModuleKit
import Testing

/// A folder in which `modules init` creates trees, with packages that it copies from a clone of this repository.
package final class NewTree: Sendable {
    /// Usually contains the tree `app`.
    package let place: TemporaryTree
    /// The folder of the tool in the clone.
    private let sources: String

    /// - Parameter files: The files that the tree `app` has before `init`.
    package init(_ files: [String: String] = [:]) throws {
        place = try TemporaryTree(Dictionary(uniqueKeysWithValues: files.map { ("app/" + $0.key, $0.value) }))
        try place.write("gitconfig", "[user]\n    name = Tester\n    email = t@example.com\n")
        sources = try Self.house.get().root + "/Scripts/ModuleTool"
        try HouseFiles.makeCache(place.root + "/cache/moduletool")
    }

    /// The clone, with the files that `init` reads: the packages that new trees start with, and the tool's manifest.
    /// Created once per process.
    package static let house = Result<TemporaryTree, any Error>(catching: {
        let house = try TemporaryTree()
        HouseFiles.removeAtExit([house.root])
        let packages = [
            "Base/Digests", "Base/Launch", "Base/Lifecycle", "Base/Links", "Base/Locking", "Base/Pages",
            "Base/Routes", "Base/Screens", "Base/Storage", "Base/TestSupport", "Core/ApiCenter",
        ].map { "Packages/" + $0 }
        let scripts = ["ModuleCheck", "ModuleTool/Package.swift", "modules"].map { "Scripts/" + $0 }
        try HouseFiles.copy([".swift-format", "VERSIONS.md"] + packages + scripts, to: house)
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

    package var root: String { place.root + "/app" }

    /// Runs the tool in the folder that contains the tree.
    package func run(_ arguments: [String], _ environment: String...) throws -> Command.Output {
        try Command.run(
            ["env", "MODULETOOL_SOURCES=\(sources)"] + variables + environment + [Tool.path()] + arguments,
            in: place.root)
    }

    /// Runs a command line of the tool on the tree, and expects its exit code and these parts of its output, which is
    /// returned.
    @discardableResult
    package func expect(
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
    package func shell(_ line: String, in folder: String = "app") throws -> String {
        let output = try Command.run(
            ["env"] + variables + ["bash", "-c", line], in: place.root + "/" + folder)
        try #require(output.status == 0, "\(line): \(output.text)\(output.standardError)")
        return output.text
    }

    private var variables: [String] {
        ["XDG_CACHE_HOME=\(place.root)/cache", "GIT_CONFIG_GLOBAL=\(place.root)/gitconfig"]
    }

    package func read(_ path: String) throws -> String { try place.read("app/" + path) }

    /// The contents of the tree's files, by path, without the folders `.git` and `.modules`.
    package func files() throws -> [String: String] {
        try place.files(in: "app").filter { !$0.key.hasSuffix("/") }
    }

    // MARK: A repository with an app

    /// The answer to the question of `init` about ``repository``.
    private static let layers = """
        layers:
          - {name: B, folders: [Sources/B], pairs: optional}
          - {name: A, folders: [Sources/A], pairs: optional}

        """

    /// A repository with an app and two layers, whose names do not suggest their order.
    package static let repository = [
        ".modules.yml": layers,
        "Package.swift": manifest(
            "Old", ".executableTarget(name: \"Old\", dependencies: [\"Zoo\"])", ["Sources/A/Zoo"]),
        "Sources/Old/main.swift": "import Zoo\n\nprint(zoo)\n",
        "Sources/A/Zoo/Package.swift": manifest(
            "Zoo", ".target(name: \"Zoo\", dependencies: [\"Net\"])", ["../../B/Net"]),
        "Sources/A/Zoo/Sources/Zoo/Zoo.swift": "import Net\n\npublic let zoo = net\n",
        "Sources/B/Net/Package.swift": manifest("Net", ".target(name: \"Net\")", []),
        "Sources/B/Net/Sources/Net/Net.swift": "public let net = 1\n",
    ]

    package static func manifest(_ name: String, _ target: String = "", _ paths: [String] = []) -> String {
        """
        // swift-tools-version: 6.0
        import PackageDescription

        let package = Package(
            name: "\(name)",
            platforms: [.macOS(.v15)],
            products: [\(name == "Old" ? "" : ".library(name: \"\(name)\", targets: [\"\(name)\"])")],
            dependencies: [\(paths.map { ".package(path: \"\($0)\")" }.joined(separator: ", "))],
            targets: [\(target)]
        )

        """
    }
}
