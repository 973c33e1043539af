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
              modules graph                                 Mermaid, as README.md shows it
              modules graph --format dot | dot -Tsvg        by Graphviz
              modules graph --focus Ride                    Ride, who calls it and whom it calls
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case mermaid, dot, json
    }

    @Option(help: "mermaid, dot or json.")
    var format = Format.mermaid

    @Option(help: ArgumentHelp("Only this package or pair, and its neighbours.", valueName: "name"))
    var focus: String?

    @Flag(help: "Also what only tests depend on.")
    var tests = false

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let subject = Subject(try tree.read())
        var view = try Self.view(of: subject, withTests: tests)
        if let focus { try view.focus(on: focus) }
        switch format {
        case .mermaid: print(GraphText.mermaid(view), terminator: "")
        case .dot: print(GraphText.dot(view), terminator: "")
        case .json: print(try GraphText.json(view), terminator: "")
        }
    }

    /// The tree's picture, with what breaks the layers marked.
    static func view(of subject: Subject, withTests: Bool = false) throws -> GraphView {
        let findings = try RuleBook.findings(of: try RuleBook.rules(named: ["layers"]), in: subject)
        return GraphView(subject.graph, wrong: Set(findings.map(\.place)), withTests: withTests)
    }
}
