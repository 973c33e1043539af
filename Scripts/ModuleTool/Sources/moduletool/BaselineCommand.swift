import ArgumentParser
import Foundation
import ModuleRules
import ModuleTree

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

    @Flag(help: "Print what would be written, and write nothing.")
    var dryRun = false

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let chosen = try RuleBook.rules(named: rules, among: RuleBook.all)
        let read = try tree.read(isLenient: true)
        let baseline = Baseline(try RuleBook.findings(of: chosen, in: RuleContext(read)))
        let file = URL(filePath: read.root + "/" + Baseline.path)
        guard baseline.count > 0 else {
            let exists = FileManager.default.fileExists(atPath: file.path())
            if exists, !dryRun { try FileManager.default.removeItem(at: file) }
            let deleted = exists ? ": \(Baseline.path) \(dryRun ? "would be" : "was") deleted" : ""
            return Main.complain("There are no findings to record\(deleted).")
        }
        let text = try baseline.text()
        if dryRun {
            print(text, terminator: "")
        } else {
            try Data(text.utf8).write(to: file, options: .atomic)
        }
        let what = baseline.count == 1 ? "1 finding" : "\(baseline.count) findings"
        Main.complain("\(Baseline.path): \(what) \(dryRun ? "would be " : "")recorded as known")
    }
}
