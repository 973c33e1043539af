import ModuleTree
import ModuleVersions

/// What a rule checks, and how many such items a tree has. A rule with nothing to check has no findings.
package struct RuleSubject: Sendable {
    private let one: String
    private let many: String
    package let count: @Sendable (RuleContext) throws -> Int

    /// - Parameters:
    ///   - one: The singular noun.
    ///   - many: The plural noun; nil to append `s` to the singular.
    package init(
        _ one: String, _ many: String? = nil, count: @escaping @Sendable (RuleContext) throws -> Int
    ) {
        (self.one, self.many, self.count) = (one, many ?? one + "s", count)
    }

    func name(of count: Int) -> String { count == 1 ? one : many }

    static let packages = RuleSubject("package") { $0.tree.packages.count }
    static let manifests = RuleSubject("manifest") { $0.tree.packages.count + $0.tree.unread.count }
    static let layered = RuleSubject("package in a layer", "packages in layers") { context in
        context.tree.packages.count { $0.layer != nil }
    }
    static let halves = RuleSubject("half of a pair", "halves of pairs") { context in
        context.tree.packages.count { $0.role == .api || $0.role == .imp }
    }
    static let apis = RuleSubject("Api") { context in context.tree.packages.count { $0.role == .api } }
    static let imps = RuleSubject("IMP") { context in context.tree.packages.count { $0.role == .imp } }
    static let facades = RuleSubject("facade") { context in
        context.tree.packages.count { $0.role == .facade }
    }
    static let apps = RuleSubject("app") { context in
        guard context.tree.hasPairs else { return 0 }
        return Set(try context.apps.value.map { $0.package.path + " " + $0.target.name }).count
    }
    static let remotes = RuleSubject("remote dependency", "remote dependencies") { context in
        guard context.tree.hasPairs else { return 0 }
        return context.tree.packages.flatMap(\.manifest.dependencies).count { $0.requirement != nil }
    }
    static let rows = RuleSubject("row of \(VersionsFile.path)", "rows of \(VersionsFile.path)") { context in
        try context.versions.value.map { $0.rows.count + $0.libraries.count } ?? 0
    }
}

/// What a check covered: which rules ran, on how many items, and which rules had nothing to check.
package struct RuleCoverage: Sendable, Encodable {
    package struct Part: Sendable, Encodable {
        package let count: Int
        package let subject: String
        package let rules: [String]
    }

    /// The rules that ran, grouped by what they checked.
    package let judged: [Part]
    /// The rules that found nothing to check.
    package let idle: [String]
    /// The rules that did not run, because a part of the tree cannot be read.
    package let skipped: [String]
    /// The rules of ``idle``. If all rules of a group are idle, one entry stands for the group.
    private let idleGroups: [String]
    private let isConfigured: Bool

    package init(of rules: [any Rule], in context: RuleContext) throws {
        let isConfigured = context.tree.configuration != nil
        // Without a configuration, the rules that need the whole tree have nothing to check.
        func isSkipped(_ rule: any Rule) -> Bool { isConfigured && !RuleBook.isJudged(rule, in: context) }
        let ran = rules.filter { !isSkipped($0) }
        let counts = try ran.map { try $0.subject.count(context) }
        var parts: [Part] = []
        for (rule, count) in zip(ran, counts) where count > 0 {
            let subject = rule.subject.name(of: count)
            let index = parts.firstIndex { $0.subject == subject } ?? parts.endIndex
            let known = index < parts.endIndex ? parts.remove(at: index).rules : []
            parts.insert(Part(count: count, subject: subject, rules: known + [rule.id]), at: index)
        }
        judged = parts
        idle = zip(ran, counts).filter { $0.1 == 0 }.map(\.0.id)
        skipped = rules.filter(isSkipped).map(\.id)
        let idle = Set(idle)
        idleGroups = RuleGroup.allCases.flatMap { group -> [String] in
            let all = rules.filter { $0.group == group }.map(\.id)
            let some = all.filter(idle.contains)
            return some.count > 1 && some == all ? ["all rules about \(group.rawValue)"] : some
        }
        self.isConfigured = isConfigured
    }

    /// One line for each group, to print below the findings.
    package var lines: [String] {
        var lines = judged.map { "\($0.count) \($0.subject): \($0.rules.joined(separator: ", "))" }
        if !skipped.isEmpty {
            lines.append("not checked without all manifests: \(skipped.joined(separator: ", "))")
        }
        if !idle.isEmpty {
            lines.append(
                "nothing to check\(isConfigured ? "" : ", without \(Configuration.path)"): "
                    + idleGroups.joined(separator: ", "))
        }
        return lines
    }

    private enum CodingKeys: CodingKey { case judged, idle, skipped }
}
