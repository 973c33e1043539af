import ModuleTree
import ModuleVersions

/// What a rule checks, and how many such items a tree has. A rule with nothing to check has no findings.
package struct RuleSubject: Sendable {
    package let count: @Sendable (RuleContext) throws -> Int

    package init(_ count: @escaping @Sendable (RuleContext) throws -> Int) { self.count = count }

    static let packages = RuleSubject { $0.tree.packages.count }
    static let manifests = RuleSubject { $0.tree.packages.count + $0.tree.unread.count }
    static let layered = RuleSubject { context in
        context.tree.packages.count { $0.layer != nil }
    }
    static let halves = RuleSubject { context in
        context.tree.packages.count { $0.role == .api || $0.role == .imp }
    }
    static let apis = RuleSubject { context in context.tree.packages.count { $0.role == .api } }
    static let imps = RuleSubject { context in context.tree.packages.count { $0.role == .imp } }
    static let facades = RuleSubject { context in
        context.tree.packages.count { $0.role == .facade }
    }
    static let apps = RuleSubject { context in
        guard context.tree.hasPairs else { return 0 }
        return Set(try context.apps.value.map { $0.package.path + " " + $0.target.name }).count
    }
    static let remotes = RuleSubject { context in
        guard context.tree.hasPairs else { return 0 }
        return context.tree.packages.flatMap(\.manifest.dependencies).count { $0.requirement != nil }
    }
    static let rows = RuleSubject { context in
        try context.versions.value.map { $0.rows.count + $0.libraries.count } ?? 0
    }
}

/// What a check covered: how many items each rule looked at, and which rules did not look.
package struct RuleCoverage: Sendable, Encodable {
    /// The number of items that each rule looked at, by the rule's identifier.
    package let counts: [String: Int]
    /// The rules that found nothing to check.
    package let idle: [String]
    /// The rules that did not run, because a part of the tree cannot be read.
    package let skipped: [String]

    package init(of rules: [any Rule], in context: RuleContext) throws {
        // Without a configuration, the rules that need the whole tree have nothing to check.
        let isConfigured = context.tree.configuration != nil
        let skipped = rules.filter { isConfigured && !RuleBook.isJudged($0, in: context) }.map(\.id)
        var counts: [String: Int] = [:]
        for rule in rules where !skipped.contains(rule.id) {
            counts[rule.id] = try rule.subject.count(context)
        }
        (self.counts, self.skipped) = (counts, skipped)
        idle = rules.map(\.id).filter { counts[$0] == 0 }
    }

    /// One line for each reason why rules did not look, to print below the findings.
    package var lines: [String] {
        [("not checked without all manifests", skipped), ("nothing to check", idle)].filter { !$0.1.isEmpty }
            .map { "\($0.0): \($0.1.joined(separator: ", "))" }
    }
}
