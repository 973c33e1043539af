import Foundation

/// What Rules.md says about a rule.
package struct RuleText: Sendable {
    package let id: String
    /// The heading of the rule's group.
    package let group: String
    /// Why the rule exists, in one line. Every finding quotes this text.
    package let why: String
    /// The paragraphs below the rule's heading, which `modules explain` prints.
    package let text: String

    /// The texts in the order of Rules.md, where groups begin with `## ` and rules with `### `.
    package static let sections: [RuleText] = {
        let file = String(decoding: PackageResources.Rules_md, as: UTF8.self)
        return file.components(separatedBy: "\n## ").dropFirst().flatMap { group in
            let rules = group.components(separatedBy: "\n### ")
            let name = rules[0].trimmingCharacters(in: .newlines)
            return rules.dropFirst().map { RuleText($0.components(separatedBy: "\n\n"), in: name) }
        }
    }()

    /// The texts by the identifiers of their rules.
    package static let all = Dictionary(uniqueKeysWithValues: sections.map { ($0.id, $0) })

    /// - Parameter paragraphs: The rule's identifier, `Why: ` with the reason, and the rest of the text.
    private init(_ paragraphs: [String], in group: String) {
        (id, self.group) = (paragraphs[0], group)
        let reason = paragraphs.dropFirst().first ?? ""
        why = String(reason.trimmingPrefix("Why: ")).replacing("\n", with: " ")
        text = paragraphs.dropFirst().joined(separator: "\n\n").replacing("\n    ", with: "\n")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }
}
