import ArgumentParser
import Foundation
import ModuleRules

struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explains a rule, or lists all rules.",
        discussion: """
            Examples:
              modules explain              all rules, one line each
              modules explain imp-hidden   what the rule checks, what breaks it, how to fix it
            """)

    @Argument(help: "Rules or groups of rules.", completion: .rules)
    var rules: [String] = []

    func run() throws {
        let chosen = try RuleBook.rules(named: rules, among: RuleBook.all)
        let texts = chosen.compactMap { RuleText.all[$0.id] }
        guard !rules.isEmpty else {
            let width = texts.map(\.id.count).max() ?? 0
            for text in texts {
                print(text.id.padding(toLength: width + 2, withPad: " ", startingAt: 0) + text.why)
            }
            return
        }
        let text = texts.map { "\($0.id) (\($0.group))\n\n\($0.text)" }.joined(separator: "\n\n")
        print(Main.named(Main.spelled(text)))
    }
}
