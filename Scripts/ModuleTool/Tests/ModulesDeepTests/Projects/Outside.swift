import Foundation
import ModuleFixtures
import ModuleKit
import Testing
import ToolFixtures

/// A copy of this repository, and a folder for projects that use the exported packages. A git setting redirects the
/// address in the guide for adopters to the exported packages.
///
/// For each user, SwiftPM records the commit of each version at an address, and later rejects any other commit.
/// Therefore, each test has its own `--security-path`.
final class Outside: Sendable {
    let tool: Tool
    let folder: TemporaryTree

    init() throws {
        tool = try Tool(in: WholeTree.make())
        folder = try TemporaryTree([:])
        try folder.write(
            "gitconfig",
            """
            [user]
                name = Tester
                email = t@example.com
            [url "file://\(folder.root)/packages/"]
                insteadOf = https://github.com/acme/

            """)
        try folder.write("tree/README.md", "")
    }

    /// Runs a shell command in a folder beside the tree.
    func run(_ command: String, in place: String = "tree") throws -> Command.Output {
        try Command.run(
            ["env", "GIT_CONFIG_GLOBAL=\(folder.root)/gitconfig", "bash", "-c", command],
            in: folder.root + "/" + place)
    }

    /// Runs the tool's `export` on the copy of the tree.
    func export(_ arguments: String) throws -> Command.Output {
        let tree = tool.tree.root
        return try run(
            "XDG_CACHE_HOME='\(tree).cache' '\(try Tool.path())' export \(arguments) --root '\(tree)'")
    }
}
