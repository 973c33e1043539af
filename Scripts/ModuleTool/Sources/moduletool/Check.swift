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
              modules check --fix --dry-run          what --fix would change
              modules check --root ~/other/monorepo  another tree, with or without pairs

            --fix adds and removes dependencies in manifests that consist of literals, sorts the rows of \
            VERSIONS.md, and writes the list of modules, the generated packages and the diagrams again. It makes all \
            changes or none.

            `modules explain RULE` describes a rule.
            """)

    @Argument(help: "Rules or groups of rules; all rules by default.", completion: .rules)
    var rules: [String] = []

    @OptionGroup var report: ReportOptions

    @Flag(help: "Make the fixes that are one exact edit, and report what is left.")
    var fix = false

    @OptionGroup var options: EditOptions

    func validate() throws {
        if options.dryRun, !fix { throw ValidationError("--dry-run has no effect without --fix.") }
        if fix, report.format != .text {
            throw ValidationError("--fix prints text. Run check again with --format.")
        }
    }

    func run() throws {
        let chosen = try RuleBook.rules(named: rules, among: RuleBook.all)
        if fix { try options.make(FixFindings(rules: chosen, tree: options.tree)) }
        let context = RuleContext(try options.tree.read(isLenient: true))
        try FindingReport.finish(
            try RuleBook.findings(of: chosen, in: context), of: chosen, in: context, report.format,
            showsAll: report.all)
    }
}
