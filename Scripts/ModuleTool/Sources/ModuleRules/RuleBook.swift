import ModuleKit

/// The rules about a tree. Of two rules that report the same cause, the first one is stronger.
package struct RuleBook: Sendable {
    package let rules: [Rule]

    package init(_ rules: [Rule]) { self.rules = rules }

    /// Returns the rules with these identifiers or in these groups, or all rules if `names` is empty.
    package static func rules(named names: [String], among rules: [Rule]) throws -> [Rule] {
        let known = RuleGroup.allCases.map(\.rawValue) + rules.map(\.id)
        for name in names where !known.contains(name) {
            throw Diagnostic(
                .configuration, at: name, "is neither a rule nor a group of rules",
                why: "A misspelt rule would be skipped silently.",
                fix: Spelling.suggestion(for: name, among: known).map { "Use \($0)." }
                    ?? "Use one of: \(known.joined(separator: ", ")).")
        }
        return names.isEmpty
            ? rules : rules.filter { names.contains($0.id) || names.contains($0.group.rawValue) }
    }

    /// Returns the findings of the given rules that no comment allows, one for each cause, and a finding for each manifest
    /// that cannot be read, without duplicates and sorted by place.
    package func findings(of rules: [Rule], in context: RuleContext) throws -> [Diagnostic] {
        try context.settings.validate()
        try context.tree.validateApiImports()
        let judged = context.active(rules).filter { Self.canCheck($0, in: context) }
        let chosen = Set(judged.map(\.id))
        // A warning is weaker than every error: of a cause that breaks two rules, the error must remain.
        let own = Set(self.rules.map(\.id))
        let all = context.active(rules.filter { !own.contains($0.id) } + self.rules)
        let order = [false, true].flatMap { isWarning in
            all.filter { context.settings.isWarning($0.id) == isWarning }
        }
        let ids = order.map(\.id)
        // The rules about versions mostly wait for git, so the other rules run beside them.
        let found = try concurrentMap([false, true], step: 1) { areVersions in
            func run(_ rules: [Rule]) throws -> [Diagnostic] {
                try rules.flatMap { rule in
                    try (rule.group == .versions) == areVersions ? rule.findings(in: context) : []
                }
            }
            let found = try run(judged)
            // A stronger rule that nobody chose may know better how to fix a cause.
            let weakest =
                found.filter { !$0.cause.isEmpty }.compactMap { ids.firstIndex(of: $0.rule) }.max() ?? 0
            return try found
                + run(order[..<weakest].filter { !chosen.contains($0.id) && Self.canCheck($0, in: context) })
        }
        let open = try context.allowances.value.apply(to: Array(Set(found.joined())), of: judged)
        let verdicts = Verdicts(
            open, order: ids + ["allow-unneeded"],
            chosen: chosen.union(["allow-unneeded"]))
        return Set(verdicts.findings).union(try Rule.manifestRead.findings(in: context)).map { finding in
            var finding = finding
            if context.settings.isWarning(finding.rule) { finding.severity = .warning }
            return finding
        }.sorted()
    }

    /// Whether a rule can check this tree. If a manifest cannot be read, the rules that need the whole tree do not
    /// run.
    static func canCheck(_ rule: Rule, in context: RuleContext) -> Bool {
        context.tree.unread.isEmpty || !rule.needsWholeTree
    }
}
