import ArgumentParser
import ModuleEdits
import ModuleKit
import ModuleRules

struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Records the current findings of a legacy tree as known.",
        discussion: """
            Writes \(Baseline.path) at the root. From then on, `check` fails only for new findings and for \
            entries that no longer occur. Run this command again to remove such entries. If there are no \
            findings, the file is deleted.

            Examples:
              modules baseline --dry-run
              modules baseline layers imports    two groups of rules; drops the entries of all others
            """)

    @Argument(help: "Rules or groups of rules; all rules by default.", completion: .rules)
    var rules: [String] = []

    @OptionGroup var options: EditOptions

    func run() throws {
        let chosen = try RuleBook.rules(named: rules, among: RuleBook.all)
        try options.make(RecordFindings(rules: chosen, tree: options.tree))
    }
}

/// Writes the current findings into the baseline.
private struct RecordFindings: Edit {
    let rules: [Rule]
    let tree: TreeOptions

    var command: String { "baseline" }

    /// Accepts every tree.
    func validate(_ root: TreeRoot) {}

    func plan(_ root: TreeRoot) throws -> EditPlan {
        let context = RuleContext(try tree.read(isLenient: true))
        let baseline = Baseline(try RuleBook.tree.findings(of: rules, in: context))
        guard baseline.count > 0 else {
            return EditPlan(
                "There are no findings to record.",
                changes: root.exists(Baseline.path) ? [.remove(path: Baseline.path)] : [])
        }
        return EditPlan(
            "\(Baseline.path): \(Spelling.count(baseline.count, "finding")) recorded as known",
            changes: [.write(path: Baseline.path, contents: try baseline.text())])
    }
}
