import ModuleTree

/// What a check covered: how many items each rule looked at, and which rules did not look.
package struct RuleCoverage: Sendable, Encodable {
    /// The number of items that each rule looked at, by the rule's identifier.
    package let counts: [String: Int]
    /// The rules that found nothing to check.
    package let idle: [String]
    /// The rules that did not run, because a part of the tree cannot be read.
    package let skipped: [String]
    /// The rules that `.modules.yml` turns off, each with the reason.
    package let off: [String: String]
    /// The rules that only warn.
    package let warning: [String]
    /// If most of the rules have nothing to check: the reasons, each with what to do.
    package let advice: [String]

    package init(of rules: [Rule], in context: RuleContext) throws {
        off = Dictionary(
            uniqueKeysWithValues: rules.filter(context.settings.isOff).map {
                ($0.id, context.settings.reason($0))
            })
        let rules = context.active(rules)
        warning = rules.map(\.id).filter(context.settings.isWarning)
        // Without a configuration, the rules that need the whole tree have nothing to check.
        let isConfigured = context.tree.configuration != nil
        let skipped = rules.filter { isConfigured && !RuleBook.canCheck($0, in: context) }.map(\.id)
        var counts: [String: Int] = [:]
        for rule in rules where !skipped.contains(rule.id) { counts[rule.id] = try rule.itemCount(context) }
        (self.counts, self.skipped) = (counts, skipped)
        idle = rules.map(\.id).filter { counts[$0] == 0 }
        let isAll = Set(rules.map(\.group)).count == RuleGroup.allCases.count
        advice = isAll && idle.count * 2 > rules.count ? Self.advice(about: context.tree) : []
    }

    private static func advice(about tree: Tree) -> [String] {
        let pairs =
            !tree.hasLayers
            ? [
                "the tree is not set up for layers and pairs, so run Scripts/modules init in a clone of the tool's repository"
            ]
            : tree.hasPairs ? [] : ["the tree has no pair, so add one with Scripts/modules new-module NAME"]
        return pairs
            + tree.largeManifests.map { path, count in
                "\(path) declares \(count) libraries, of which the rules about layers see one package, so move libraries "
                    + "to packages in folders of their own"
            }
    }

    /// One line for each reason why rules did not look, to print below the findings.
    package var lines: [String] {
        [
            ("not checked without all manifests", skipped), ("nothing to check", idle),
            (
                "off in \(Configuration.path)",
                off.sorted { $0.key < $1.key }.map { "\($0.key) (\($0.value))" }
            ),
        ].filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
            + (advice.isEmpty
                ? []
                : [
                    "\(idle.count) of \(counts.count) rules have nothing to check: \(advice.joined(separator: "; "))"
                ])
    }
}
