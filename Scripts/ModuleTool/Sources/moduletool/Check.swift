import ArgumentParser
import ModuleRules
import ModuleTree

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the tree against the rules.",
        discussion: """
            Examples:
              modules check                          all rules
              modules check layers imports           two groups of rules
              modules check imp-hidden               one rule
              modules check --format github          output for a GitHub workflow
              modules check --root ~/other/monorepo  another tree, with or without pairs

            `modules explain RULE` describes a rule.
            """)

    @Argument(help: "Rules or groups of rules; all rules by default.")
    var rules: [String] = []

    @Option(help: "text, json or github.")
    var format = FindingFormat.text

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let chosen = try RuleBook.rules(named: rules, among: RuleBook.all)
        let context = RuleContext(try tree.read(isLenient: true))
        try FindingReport.finish(
            try RuleBook.findings(of: chosen, in: context), of: chosen, in: context, format)
    }
}
