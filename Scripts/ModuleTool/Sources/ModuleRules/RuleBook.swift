import ModuleTree

package enum RuleBook {
    /// All rules about the tree, in the order `modules explain` lists them.
    package static let rules: [Rule] = [
        .pairHalves, .pairNames, .apiAlone, .apiContent, .apiSignature, .fakesInTests, .impOwnApi, .impPublic,
        .moduleMembers, .routeConstant,
        .layerOrder, .deniedUse, .impHidden, .facadeAlone, .cycles, .sharedCalls,
        .importDeclared, .dependencyUsed, .linkedOnce, .manifestRead, .packageFound, .sharedSettings,
        .registrationMissing, .registrationDouble, .registrationOrphan, .registrationLiteral, .appList,
        .eventsInOrder,
        .versionTable, .versionLibraries, .versionInCode, .versionFloors, .versionLowered, .versionRaised,
        .versionStep, .versionDeprecation, .versionNotes,
    ]

    /// Returns the rules with these identifiers or in these groups, or all rules if `names` is empty.
    package static func rules(named names: [String], among rules: [Rule] = rules) throws -> [Rule] {
        let known = RuleGroup.allCases.map(\.rawValue) + rules.map(\.id)
        for name in names where !known.contains(name) {
            throw Diagnostic(
                .configuration, at: name, "is neither a rule nor a group of rules",
                why: "a misspelt rule would be skipped silently",
                fix: Spelling.suggestion(for: name, among: known).map { "use \($0)" }
                    ?? "use one of: \(known.joined(separator: ", "))")
        }
        return names.isEmpty
            ? rules : rules.filter { names.contains($0.id) || names.contains($0.group.rawValue) }
    }

    /// Returns all findings of the given rules that no comment allows, and a finding for each manifest that cannot be
    /// read, without duplicates and sorted by place.
    package static func findings(of rules: [Rule], in context: RuleContext) throws -> [Diagnostic] {
        let judged = rules.filter { isJudged($0, in: context) }
        // The rules about versions mostly wait for git, so the other rules run beside them.
        let lanes = [judged.filter { $0.group != .versions }, judged.filter { $0.group == .versions }]
        let found = try concurrentMap(lanes, step: 1) { lane in
            try lane.flatMap { try $0.findings(in: context) }
        }
        let allowed = try Allowances(context).apply(to: Array(Set(found.joined())), of: judged)
        return Set(allowed).union(try Rule.manifestRead.findings(in: context)).sorted()
    }

    /// Whether a rule can check this tree. If a manifest cannot be read, the rules that need the whole tree do not
    /// run.
    static func isJudged(_ rule: Rule, in context: RuleContext) -> Bool {
        context.tree.unread.isEmpty || !rule.needsWholeTree
    }
}
