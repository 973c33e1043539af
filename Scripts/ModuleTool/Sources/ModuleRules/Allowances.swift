import ModuleTree

/// The comments `// modules:allow RULE: reason` in the tree's sources and manifests.
struct Allowances {
    private let found: [(path: String, allowance: Allowance)]

    init(_ context: RuleContext) throws {
        let manifests = try context.packages.flatMap { package in
            let path = package.manifestPath
            return try Allowance.all(in: Array(context.tree.contents(of: path) ?? .init()), of: path).map {
                (path, $0)
            }
        }
        found =
            manifests + context.tree.files.flatMap { file in file.facts.allowances.map { (file.path, $0) } }
    }

    /// Removes the findings that a comment allows, and adds an `allow-unneeded` finding for each comment that allows
    /// none.
    ///
    /// - Parameter rules: The rules that looked at the tree. Comments about other rules may allow what was not looked
    ///   for.
    func apply(to findings: [Diagnostic], of rules: [Rule]) -> [Diagnostic] {
        if found.isEmpty { return findings }
        let judged = Set(rules.map(\.id))
        var remaining = findings
        let unneeded = found.compactMap { path, allowance -> Diagnostic? in
            func finding(_ what: String, fix: String) -> Diagnostic {
                Diagnostic(
                    .rule("allow-unneeded"), at: allowance.position.in(path), what,
                    why: "a comment that allows nothing would hide the same mistake if it came back", fix: fix
                )
            }
            guard let rule = allowance.rule else {
                return finding(
                    "the comment gives no rule or no reason", fix: "write // modules:allow RULE: the reason")
            }
            guard RuleText.all[rule] != nil else {
                return finding(
                    "no rule is named \(rule)",
                    fix: Spelling.choice(for: rule, among: Array(RuleText.all.keys)))
            }
            let count = remaining.count
            remaining.removeAll { finding in
                // A finding about a package stands in the first line of its manifest, above which no comment can stand, and
                // one about a changed file in its first line.
                let isFirst = finding.place.line == 1 && allowance.position.line <= 2
                return finding.rule == rule && finding.place.path == path
                    && (finding.place.line == allowance.line
                        || isFirst && (path.hasSuffix("Package.swift") || rule == Rule.versionRaised.id))
            }
            return remaining.count == count && judged.contains(rule)
                ? finding("\(rule) finds nothing that this comment allows", fix: "remove the comment") : nil
        }
        return remaining + unneeded
    }
}
