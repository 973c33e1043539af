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
        guard !rules.isEmpty else {
            let width = chosen.map(\.id.count).max() ?? 0
            for rule in chosen {
                print(rule.id.padding(toLength: width + 2, withPad: " ", startingAt: 0) + rule.why)
            }
            return
        }
        let texts = chosen.map { rule in
            "\(rule.id) (\(rule.group.rawValue))\n\nWhy: \(rule.why).\n\n\(rule.explanation)"
                + (rule.source.map { "\n\nSource: \($0)" } ?? "")
        }
        print(Main.named(texts.joined(separator: "\n\n")))
    }
}
