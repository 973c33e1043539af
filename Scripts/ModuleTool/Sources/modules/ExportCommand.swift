import ArgumentParser
import Foundation
import ModuleEdits
import ModuleExport
import ModuleRules
import ModuleTree
import ModuleVersions

/// `modules export`: packages that others can depend on.
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes packages that others can depend on, each standing alone.",
        discussion: """
            SwiftPM takes one package a repository, so outsiders cannot depend on the packages of this tree where \
            they lie. This writes the ones named (pairs, libraries; all of them by default), with everything they \
            stand on, each into a folder of its own: sources, tests, a README, the change notes, and a manifest \
            that names the others by address and by version from VERSIONS.md.

            An Api's package gets a second product, XxxApiWithImp, which links the IMP at or above the floor of the \
            table; the product XxxApi has the protocols alone. Between modules every requirement is a floor.

            With --git each folder is a repository: a new version becomes a commit on top of what is there, and \
            its tag. What is there already stays as it is. Refused (exit code 1), before anything is written, are: \
            a tree that breaks a rule, a version that was released with other files or went down, changes that are \
            in no commit.

            Examples:
              modules export --to ../packages --git --url "https://github.com/acme/{name}.git"
              modules export ApiCenter --to ../packages --git    one library, its repositories beside each other
              modules export Ride --to ../packages --git --podspecs --url "https://github.com/acme/{name}.git" \\
                --license MIT --authors "Ann Author"    podspecs too
              modules export --to ../packages --git --dry-run    what would be new
            """)

    @Argument(help: "Pairs and libraries; everything that has a version by default.")
    var names: [String] = []

    @Option(help: ArgumentHelp("Where the packages go.", valueName: "folder"))
    var to: String

    @Option(
        help: ArgumentHelp(
            "The address of each package.",
            discussion: "By default ../{name}: repositories in one folder find each other, wherever it is.",
            valueName: "template"))
    var url: String?

    @Flag(help: "Make each a git repository, with the version as its tag.")
    var git = false

    @Flag(help: "Write podspecs too, with every dependency a floor.")
    var podspecs = false

    @Option(
        help: ArgumentHelp(
            "With --podspecs: the licence's name.",
            discussion: "By default the first line of the file LICENSE in the package, or else in the tree.",
            valueName: "name"))
    var license: String?

    @Option(
        help: ArgumentHelp("With --podspecs: the authors, with commas between them.", valueName: "names"))
    var authors: String?

    @Flag(help: "Say what would be new, and write nothing.")
    var dryRun = false

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let addresses = try url.map { try AddressTemplate($0) } ?? .siblings
        guard podspecs || (license == nil && authors == nil) else {
            throw EditError(
                .usage, "a licence and authors are for podspecs.",
                why: "Nothing else that is exported names them.",
                mend: "Add --podspecs, or leave --license and --authors out.")
        }
        let pods = podspecs ? try Podspecs(addresses: addresses, license: license, authors: authors) : nil
        let tree = try tree.read()
        try refuseFindings(in: tree)
        let set = try ExportSet(tree, try versions(of: tree), names: names)
        let folder = try folder(outside: tree.root)
        let export = Export(
            set, root: tree.root, to: folder, addresses: addresses, usesGit: git, podspecs: pods,
            step: FaultInjection.hook())
        do {
            report(try export.run(isDryRun: dryRun), folder)
        } catch let refused as ExportRefused {
            for error in refused.errors { Main.complain("error: \(error)") }
            Main.complain("Nothing was exported.")
            throw ExitCode(refused.errors.map(\.kind.exitCode).max() ?? 1)
        }
    }

    /// The folder to write to. The tree's own packages are found by looking for them.
    private func folder(outside root: String) throws(EditError) -> URL {
        let here = URL(filePath: FileManager.default.currentDirectoryPath + "/")
        let folder = URL(filePath: to, directoryHint: .isDirectory, relativeTo: here).standardizedFileURL
        let below = folder.pathText == root ? "" : folder.pathText.trimmingPrefix(root + "/")
        guard below.hasPrefix("/") || below.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        else {
            throw EditError(
                .usage, at: folder.pathText, "it lies in the tree.",
                why: "The packages there would become packages of the tree.",
                mend: "Name a folder outside, such as --to ../packages.")
        }
        return folder
    }

    private func report(
        _ results: [(package: ExportedPackage, outcome: Export.Outcome)], _ folder: URL
    ) {
        for (package, outcome) in results { print("\(outcome.rawValue): \(package.name) \(package.version)") }
        for (package, _) in results where podspecs {
            guard let foreign = Podspecs.foreign(to: package) else { continue }
            Main.complain("note: \(package.name) has no podspec: whose pod \(foreign) is, nobody here knows.")
        }
        let news = results.count { $0.outcome != .same }
        print(
            news == 0
                ? "Nothing is new in \(folder.pathText)."
                : dryRun
                    ? "\(news) of \(results.count) packages would be written. Nothing was: this was a dry run."
                    : "\(news) of \(results.count) packages were written to \(folder.pathText).")
    }

    /// A tree that breaks a rule is not released.
    private func refuseFindings(in tree: Tree) throws {
        let subject = Subject(tree)
        let findings = try RuleBook.findings(of: RuleBook.rules, in: subject)
        do {
            guard
                !(try Baseline(root: tree.root)?.apply(to: findings, of: RuleBook.rules) ?? findings).isEmpty
            else { return }
            try FindingReport.finish(findings, of: RuleBook.rules, in: subject, .text)
        } catch let code as ExitCode {
            Main.complain("error: the tree breaks its rules, see above. Nothing was exported.")
            throw code
        }
    }

    private func versions(of tree: Tree) throws -> VersionsFile {
        guard let data = FileManager.default.contents(atPath: tree.root + "/VERSIONS.md") else {
            throw TreeError(
                .configuration, tree.root, what: "has no VERSIONS.md", why: "outsiders depend on versions",
                mend: "write the tables, a row for each pair and library")
        }
        return try VersionsFile(String(decoding: data, as: UTF8.self))
    }
}
