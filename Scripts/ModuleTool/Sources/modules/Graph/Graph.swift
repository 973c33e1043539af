import ArgumentParser
import Foundation
import ModuleRules
import ModuleTree

/// `modules graph`: a picture of the tree.
struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws the tree: packages in layers, and who depends on whom.",
        discussion: """
            Cycles and dependencies that break a rule about layers are red.

            Examples:
              modules graph                               Mermaid, as README.md shows it
              modules graph --format dot | dot -Tsvg      by Graphviz
              modules graph --format html > tree.html     a page to look around in, offline too
              modules graph --focus Ride                  Ride, its callers and whom it calls
              modules graph --affected --since main       what a branch can reach
              modules graph --check README.md             is the picture there still true?
              modules graph --write README.md             put the picture of today there
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mermaid, dot, json, html
    }

    @Option(help: "mermaid, dot, json or html.")
    var format = Format.mermaid

    @Option(help: ArgumentHelp("Only this package or pair, and its neighbours.", valueName: "name"))
    var focus: String?

    @Flag(help: "Only what the changes since --since can reach.")
    var affected = false

    @Option(help: ArgumentHelp("The git revision that --affected compares with.", valueName: "revision"))
    var since: String?

    @Option(help: ArgumentHelp("See that a Markdown file shows this picture.", valueName: "file"))
    var check: String?

    @Option(
        help: ArgumentHelp(
            "Put this picture into a Markdown file, in place of the one there.", valueName: "file"))
    var write: String?

    @Flag(help: "Also what only tests depend on.")
    var tests = false

    @Flag(help: "Also the packages outside the layers, such as tools.")
    var all = false

    @OptionGroup var tree: TreeOptions

    func validate() throws {
        if affected != (since != nil) { throw ValidationError("--affected and --since go together.") }
        if check != nil, write != nil {
            throw ValidationError("--check only looks and --write changes; give one of them.")
        }
        if let option = check != nil ? "--check" : write != nil ? "--write" : nil,
            focus != nil || affected || format != .mermaid
        {
            throw ValidationError(
                "\(option) is about the whole tree's Mermaid picture; it takes no --focus, "
                    + "--affected or --format.")
        }
    }

    func run() throws {
        let subject = Subject(try tree.read())
        let findings = try RuleBook.findings(of: try RuleBook.rules(named: ["pairs", "layers"]), in: subject)
        var view = GraphView(subject.graph, wrong: Set(findings.map(\.place)), withTests: tests)
        if !all { view.dropOutsiders() }
        if let check { return try compare(view, with: check, in: subject.tree) }
        if let write { return try put(view, into: write, in: subject.tree) }
        if let focus { try view.focus(on: focus) }
        if let since { view.keep(paths: Set(try Affected(subject.tree, since: since).packages.map(\.path))) }
        switch format {
        case .mermaid: print(GraphText.mermaid(view), terminator: "")
        case .dot: print(GraphText.dot(view), terminator: "")
        case .json: print(try GraphText.json(view), terminator: "")
        case .html:
            let title =
                subject.tree.rootPackage?.manifest.name ?? URL(filePath: subject.tree.root).lastPathComponent
            print(try GraphPage(title: title, view: view, findings: findings).html(), terminator: "")
        }
    }

    private func compare(_ view: GraphView, with file: String, in tree: Tree) throws {
        let picture = try PictureInFile(path: path(of: file, in: tree), shownAs: file)
        guard let finding = picture.finding(for: GraphText.mermaid(view), shownAs: file) else {
            return print("\(file): shows the tree as it is")
        }
        let report = FindingReport(
            findings: [finding], packages: tree.packages.count, rules: [finding.rule], root: tree.root)
        print(try report.text(.text), terminator: "")
        throw ExitCode(1)
    }

    private func put(_ view: GraphView, into file: String, in tree: Tree) throws {
        let picture = try PictureInFile(path: path(of: file, in: tree), shownAs: file)
        let isNew = try picture.write(GraphText.mermaid(view), shownAs: file)
        print(
            "\(file): "
                + (isNew ? "shows the tree as it is now" : "showed the tree as it is; nothing was changed"))
    }

    /// A file is named as it lies in the tree, from whatever folder.
    private func path(of file: String, in tree: Tree) -> String {
        URL(filePath: file, relativeTo: URL(filePath: tree.root + "/")).pathText
    }
}
