import ArgumentParser
import GraphDoor
import ModuleRules

struct Graph: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws the packages of the tree in layers, with their dependencies.",
        discussion: """
            Cycles and dependencies that break a rule about pairs or layers are red. If a package has more targets \
            (without tests) than the tree has packages, the diagram shows these targets instead of the package. In the \
            HTML page, a pair is one box, and a click on another package offers to draw it as its targets.

            Examples:
              modules graph                               a Mermaid diagram
              modules graph --format html > tree.html     an interactive page that works offline
              modules graph --focus Ride                  Ride, its callers and its dependencies
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mermaid, html
    }

    @Option(help: "mermaid or html.")
    var format = Format.mermaid

    @Option(
        help: ArgumentHelp("Draw only this package, pair or target and its neighbours.", valueName: "name"),
        completion: .packages)
    var focus: String?

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let context = RuleContext(try tree.read(isLenient: true))
        let rules = try RuleBook.rules(named: ["pairs", "layers"], among: RuleBook.tree.rules)
        let findings = try RuleBook.tree.findings(of: rules, in: context)
        let view = try GraphView(context.tree, findings: findings, focus: focus)
        for manifest in context.tree.unread {
            Main.complain(
                "note: \(manifest.place) cannot be read, so the package is missing: \(manifest.reason)")
        }
        let text =
            switch format {
            case .mermaid: focus == nil ? Mermaid(view).overview() : Mermaid(view).everything()
            case .html: try GraphPage(title: context.tree.name, map: GraphMap(view)).html()
            }
        print(text, terminator: "")
    }
}
