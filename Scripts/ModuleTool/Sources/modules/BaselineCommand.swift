import ArgumentParser
import Foundation
import ModuleRules
import ModuleTree

/// `modules baseline`: takes today's findings as known.
struct BaselineCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "baseline",
        abstract: "Takes today's findings of a legacy tree as known.",
        discussion: """
            Writes \(Baseline.path) at the root. From then on `check` fails for new findings alone, and for \
            entries that are found no more. Run it again to take those out; without any finding the file goes.

            Examples:
              modules baseline --dry-run
              modules baseline layers imports    of two groups of rules; entries of others go
            """)

    @Argument(help: "Rules or groups of rules; all of them by default.")
    var rules: [String] = []

    @Flag(help: "Say what would be written, and write nothing.")
    var dryRun = false

    @OptionGroup var tree: TreeOptions

    func run() throws {
        let chosen = try RuleBook.rules(named: rules)
        let read = try tree.read()
        let baseline = Baseline(try RuleBook.findings(of: chosen, in: Subject(read)))
        let file = URL(filePath: read.root + "/" + Baseline.path)
        let text = try baseline.text()
        if dryRun {
            print(text, terminator: "")
        } else if baseline.count > 0 {
            try Data(text.utf8).write(to: file, options: .atomic)
        } else if FileManager.default.fileExists(atPath: file.path()) {
            try FileManager.default.removeItem(at: file)
        }
        let what = baseline.count == 1 ? "1 finding" : "\(baseline.count) findings"
        Main.complain("\(Baseline.path): \(what) \(dryRun ? "would be " : "")known")
    }
}
