import ModuleTree

/// What a check covered: how many items each rule looked at, and which rules did not look.
package struct RuleCoverage: Sendable, Encodable {
    /// The number of items that each rule looked at, by the rule's identifier.
    package let counts: [String: Int]
    /// The rules that found nothing to check.
    package let idle: [String]
    /// The rules that did not run, because a part of the tree cannot be read.
    package let skipped: [String]

    package init(of rules: [Rule], in context: RuleContext) throws {
        // Without a configuration, the rules that need the whole tree have nothing to check.
        let isConfigured = context.tree.configuration != nil
        let skipped = rules.filter { isConfigured && !RuleBook.isJudged($0, in: context) }.map(\.id)
        var counts: [String: Int] = [:]
        for rule in rules where !skipped.contains(rule.id) { counts[rule.id] = try rule.count(context) }
        (self.counts, self.skipped) = (counts, skipped)
        idle = rules.map(\.id).filter { counts[$0] == 0 }
    }

    /// One line for each reason why rules did not look, to print below the findings.
    package var lines: [String] {
        [("not checked without all manifests", skipped), ("nothing to check", idle)].filter { !$0.1.isEmpty }
            .map { "\($0.0): \($0.1.joined(separator: ", "))" }
    }
}
