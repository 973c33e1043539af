import ArgumentParser
import Foundation
import ModuleEdits
import ModuleExport
import ModuleKit
import ModuleRules
import ModuleTree
import ModuleVersions

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes self-contained packages that other projects can depend on.",
        discussion: """
            SwiftPM allows one package per repository, so other projects cannot depend on packages inside this \
            tree. Export writes the named pairs and libraries (all of them by default) and everything that they \
            depend on. Each package gets its own repository with the sources, the tests, a README, the change notes, \
            and a manifest that requires the other packages by address and by their versions in VERSIONS.md.

            An Api's package gets a second product, XxxApiWithImp, which links the IMP at or above the floor in \
            VERSIONS.md. The product XxxApi contains only the protocols. Requirements between modules are \
            floors: minimum versions without an upper bound.

            Each folder is a git repository. A new version adds a commit on top of the existing history and \
            a tag; existing commits and tags never change. Before it writes anything, export refuses \
            (exit code 1) a tree that breaks a rule, a version that was released with different files, a version \
            below the last release, and uncommitted changes.

            Examples:
              modules export --to ../packages --url "https://github.com/acme/{name}.git"
              modules export ApiCenter --to ../packages    one library; addresses are relative paths
              modules export --to ../packages --dry-run    what would be written
            """)

    @Argument(help: "Pairs and libraries; by default everything that has a version.")
    var names: [String] = []

    @Option(
        help: ArgumentHelp(
            "The folder that contains the repositories, or will contain them.", valueName: "folder"))
    var to: String

    @Option(
        help: ArgumentHelp(
            "The address of each package.",
            discussion: "By default ../{name}, so that repositories in the same folder find each other.",
            valueName: "template"))
    var url: String?

    @Flag(help: "Print what would be written, and write nothing.")
    var dryRun = false

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let addresses = try url.map { try AddressTemplate($0) } ?? .siblings
        let head = try GitRepository(root: tree.rootPath()).commit("HEAD")
        let tree = try tree.read()
        try TreeRoot(tree).requireVersions(for: "export")
        let context = RuleContext(tree, relyingOn: [.pairs, .layers, .imports, .versions])
        try refuseFindings(in: context)
        let releases = try context.releasedVersions()
        let set = try ExportSet(tree, try TreeRoot(tree).versionsFile(), names: names)
        let folder = try folder(outside: tree.root)
        let export = Export(
            set, root: tree.root, at: head, to: folder, addresses: addresses,
            isRelease: { releases[$0]?.contains($1) == true }, step: FaultInjection.hook())
        do {
            report(try export.run(isDryRun: dryRun), folder)
        } catch let refused as ExportRefused {
            for error in refused.errors { Main.complain(error) }
            Main.complain("Nothing was exported.")
            throw ExitCode(refused.errors.map(\.kind.exitCode).max() ?? 1)
        }
    }

    private func folder(outside root: String) throws(Diagnostic) -> URL {
        let here = URL(filePath: FileManager.default.currentDirectoryPath + "/")
        let folder = URL(filePath: to, directoryHint: .isDirectory, relativeTo: here).standardizedFileURL
        let below = folder.pathText == root ? "" : folder.pathText.trimmingPrefix(root + "/")
        guard below.hasPrefix("/") || below.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        else {
            throw Diagnostic(
                .configuration, at: folder.pathText, "this folder is inside the tree.",
                why: "The exported packages would become packages of the tree.",
                fix: "Choose a folder outside the tree, such as --to ../packages.")
        }
        return folder
    }

    private func report(
        _ results: [(package: ExportedPackage, outcome: Export.Outcome)], _ folder: URL
    ) {
        for (package, outcome) in results { print("\(outcome.rawValue): \(package.name) \(package.version)") }
        let news = results.count { $0.outcome != .same }
        print(
            news == 0
                ? "Everything in \(folder.pathText) is up to date."
                : dryRun
                    ? "\(news) of \(results.count) packages would be written. This was a dry run."
                    : "\(news) of \(results.count) packages were written to \(folder.pathText).")
    }

    /// Refuses to export a tree that breaks a rule. Others rely on the exported packages, so the rules about these count
    /// whatever the configuration says; the rules about registration are about the tree's own apps.
    private func refuseFindings(in context: RuleContext) throws {
        let findings = try RuleBook.tree.findings(of: RuleBook.all, in: context)
        let report = try FindingReport(findings, of: RuleBook.all, in: context)
        guard report.hasErrors else { return }
        defer { Main.complain("error: the tree breaks the rules above. Nothing was exported.") }
        try report.finish(.text)
    }
}
