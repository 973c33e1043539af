import ArgumentParser
import ModuleEdits
import ModuleKit
import ModuleRules

struct Check: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the tree against the rules.",
        discussion: """
            Examples:
              modules check                          all rules
              modules check layers imports           two groups of rules
              modules check imp-hidden               one rule
              modules check versions --since main    what a branch changed
              modules check --format github          output for a GitHub workflow
              modules check --format xcode           output for a build: path:line:column: error: ...
              modules check --fix --dry-run          what --fix would change
              modules check --root ~/other/monorepo  another tree, with or without pairs

            --fix adds and removes dependencies in manifests that consist of literals, sorts the rows of \
            VERSIONS.md, and regenerates the list of modules and the generated packages. It makes all changes or none.

            Without --since, every pair is compared with the commits that set its current and its previous \
            version. With --since REVISION, every pair is compared with the last common commit of REVISION and \
            HEAD, so later commits on REVISION have no effect. A shallow clone or a missing revision is an \
            error (exit code 3), never a pass.

            `modules explain RULE` describes a rule.
            """)

    @Argument(help: "Rules or groups of rules; all rules by default.", completion: .rules)
    var rules: [String] = []

    @Option(
        help: ArgumentHelp("The git revision to compare versions with.", valueName: "revision"))
    var since: String?

    @Option(help: "text, json, github or xcode.")
    var format = FindingFormat.text

    @Flag(help: "Apply the fixes that consist of one exact edit, and report the remaining findings.")
    var fix = false

    @OptionGroup var options: EditOptions

    func validate() throws {
        if options.dryRun, !fix { throw ValidationError("--dry-run has no effect without --fix.") }
        if fix, format != .text {
            throw ValidationError("--fix prints text. Run check again with --format.")
        }
    }

    func run() throws {
        do { try check() } catch let error as Diagnostic where [.github, .xcode].contains(format) {
            // Shown beside the findings, not only in the log.
            print(format.line(of: Main.named(error), in: options.tree.rootPath()), terminator: "")
            throw error
        }
    }

    /// The findings. If the app's list lacks a pair, findings that only follow from that are left out, because they have other
    /// fixes. They stay if the missing entry itself is known or a warning.
    private func findings(of rules: [Rule]) throws -> (RuleContext, [Diagnostic]) {
        let context = RuleContext(try options.tree.read(isLenient: true), since: since)
        let findings = try RuleBook.tree.findings(of: rules, in: context)
        let open =
            try Baseline(root: context.tree.root)?.apply(to: findings, of: context.active(rules)) ?? findings
        let unlisted = open.filter { $0.listing != nil && $0.severity == .error }
        let manifests = TreeRoot(context.tree).manifests(listing: unlisted.compactMap(\.listing))
        if manifests.isEmpty { return (context, findings) }
        let completed = RuleContext(
            try options.tree.read(isLenient: true, edited: manifests), since: since)
        let others = unlisted + (try RuleBook.tree.findings(of: rules, in: completed))
        let consequences = Set(Baseline.missing(open, in: others))
        return (context, findings.filter { !consequences.contains($0) })
    }

    private func check() throws {
        let chosen = try RuleBook.rules(named: rules, among: RuleBook.all)
        let fixes = FixFindings(rules: chosen, tree: options.tree)
        if fix {
            try options.make(fixes)
            // An edit that has been made is complete, but the check has not begun.
            try Interruption.check("the fixes were made, and the tree was not checked")
        } else if format == .text, Transaction.hasRemains(root: options.tree.rootURL()) {
            Main.complain(
                Main.named(
                    "note: a command was interrupted before it changed the tree, or is running; Scripts/modules recover "
                        + "removes what it has left"))
        }
        let (context, findings) = try findings(of: chosen)
        var report = try FindingReport(findings, of: chosen, in: context)
        if !fix, format == .text, report.findings.contains(where: \.isRepairable) {
            let left = try fixes.fixes(in: TreeRoot(context.tree)).left.map(Main.named)
            report.fixable = Baseline.missing(report.findings, in: left).count
        }
        try report.finish(format)
    }
}
