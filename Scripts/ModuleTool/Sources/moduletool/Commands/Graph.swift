import ArgumentParser
import ModuleGraph
import ModuleKit
import ModuleRules
import ModuleTree
import ModuleVersions

struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws the packages of the tree in layers with their dependencies, or lists them.",
        discussion: """
            In the diagrams, cycles and dependencies that break a rule about pairs or layers are red. If a package has more targets \
            (without tests) than the tree has packages, the diagram shows these targets instead of the package. In the \
            HTML page, a pair is one box, and a click on another package offers to draw it as its targets.

            The JSON document lists the layers, the packages with their targets, the pairs with their versions from \
            VERSIONS.md, and the dependencies between the targets, with the places that declare and import them. The \
            text has one line for each package.

            Examples:
              modules graph                               a Mermaid diagram
              modules graph --format html > tree.html     an interactive page that works offline
              modules graph --focus Ride                  Ride, its callers and its dependencies
              modules graph --format text                 the packages with layers, versions and target counts
              modules graph --format json | jq '.dependencies[] | select(.to.target == "RideApi") | .from.target'
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mermaid, html, json, text
    }

    @Option(help: "mermaid, html, json or text.")
    var format = Format.mermaid

    @Option(
        help: ArgumentHelp("Only this package, pair or target and its neighbours.", valueName: "name"),
        completion: .packages)
    var focus: String?

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let read = try tree.read(isLenient: true)
        for manifest in read.unread {
            Main.complain(
                "note: \(manifest.place) cannot be read, so the package is missing: \(manifest.reason)")
        }
        print(try text(of: read), terminator: "")
    }

    private func text(of tree: Tree) throws -> String {
        switch format {
        case .mermaid:
            let diagram = Mermaid(try view(of: tree))
            return focus == nil ? diagram.overview() : diagram.everything()
        case .html: return try GraphPage(title: tree.name, map: GraphMap(view(of: tree))).html()
        case .json: return try document(of: tree).prettyJSON()
        case .text: return try document(of: tree).text
        }
    }

    private func view(of tree: Tree) throws -> GraphView {
        let rules = try RuleBook.rules(named: ["pairs", "layers"], among: RuleBook.tree.rules)
        let context = RuleContext(tree)
        let findings = try RuleBook.tree.findings(of: rules, in: context)
        return try GraphView(tree, context.graph, findings: findings, focus: focus)
    }

    private func document(of tree: Tree) throws -> GraphDocument {
        let file = tree.names.versions == .table ? tree.contents(of: VersionsFile.path) : nil
        let table = file.map { VersionsFile(String(decoding: $0, as: UTF8.self)) }
        return try GraphDocument(tree, table, focus: focus)
    }
}
