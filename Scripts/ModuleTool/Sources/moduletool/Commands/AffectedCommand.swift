import ArgumentParser
import Foundation
import ModuleGraph
import ModuleTestCache

struct AffectedCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "affected",
        abstract: "Lists the packages and test targets that a change can affect.",
        discussion: """
            A change inside an IMP affects its own tests and the apps that link it; a change to an Api affects \
            every caller. A file that belongs to no target affects the package that contains it. A file that belongs \
            to the root alone (its manifest, scripts, CI) affects everything. A document (.md) affects the tests of \
            its package and of the root, and a moved pin in Package.resolved the targets that use the package. \
            Uncommitted changes count. Commits that are only on REVISION do not count.

            Examples:
              modules affected --since origin/main
              modules affected --since main --format sh    the commands that run the affected tests

            Scripts/test --since REVISION runs the commands of --format sh.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text
        /// Shell commands that run the affected tests of packages.
        case sh
    }

    @Option(help: ArgumentHelp("The git revision to compare with.", valueName: "revision"))
    var since: String

    @Option(help: "text or sh (shell commands).")
    var format = Format.text

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let tree = try self.tree.read(isLenient: true)
        try tree.refuseUnreadDependencies()
        for manifest in tree.unread {
            Main.complain(
                "note: \(manifest.place.path) cannot be read, so its package is left out (\(manifest.reason))."
                    + (manifest.exclusion.map { " To leave it out without this note, write \($0)." } ?? ""))
        }
        let affected = try Affected(tree, since: since)
        if format == .sh { return affected.testsOfPackages.forEach { print($0.command) } }
        for package in affected.packages {
            let kind = package.kind.rawValue.padding(toLength: 8, withPad: " ", startingAt: 0)
            print(kind + package.name + (package.through.map { "  through \($0)" } ?? "  changed"))
        }
        for test in affected.tests { print("tests   \(test)") }
    }
}

extension Affected.PackageTests {
    /// The shell command that runs these tests from the tree's root.
    ///
    /// Test targets have identifiers for names, so only the package's path is quoted.
    fileprivate var command: String {
        let place = package.isEmpty ? "" : " --package-path '\(package.replacing("'", with: "'\\''"))'"
        let filter = tests.map { " --filter '^(\($0.joined(separator: "|")))\\.'" } ?? ""
        return "swift test" + place + filter
    }
}
