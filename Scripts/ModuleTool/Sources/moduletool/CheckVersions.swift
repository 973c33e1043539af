import ArgumentParser
import ModuleRules
import ModuleTree

struct CheckVersions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks VERSIONS.md against the sources and the git history.",
        discussion: """
            Without --since, every pair is compared with the commits that set its current and its previous \
            version. With --since REVISION, every pair is compared with the last common commit of REVISION and \
            HEAD, so later commits on REVISION have no effect. A shallow clone or a missing revision is an \
            error (exit code 3), never a pass.

            Examples:
              check-versions
              check-versions --since origin/main     what a branch changed
              check-versions --since v1.4 --format github
            """)

    @Option(help: ArgumentHelp("Compare with this git revision.", valueName: "revision"))
    var since: String?

    @OptionGroup var report: ReportOptions

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let rules = RuleBook.rules.filter { $0.group == .versions }
        let context = RuleContext(try tree.read(isLenient: true), since: since)
        try FindingReport.finish(
            try RuleBook.findings(of: rules, in: context), of: rules, in: context, report.format,
            showsAll: report.all)
    }
}
