import ModuleFacts
import ModuleKit
import ModuleTree

/// The comments `// modules:allow RULE: reason` in the tree's sources and manifests.
package struct Allowances {
    private let found: [(path: String, allowance: Allowance)]

    init(_ tree: Tree) throws {
        let manifests = try tree.packages.flatMap { package in
            let path = package.manifestPath
            return try Allowance.all(in: Array(tree.contents(of: path) ?? .init()), of: path).map {
                (path, $0)
            }
        }
        found =
            manifests + tree.files.flatMap { file in file.facts.allowances.map { (file.path, $0) } }
    }

    /// Whether a comment allows the findings of a rule at a place.
    package func allows(_ rule: String, at place: SourcePlace) -> Bool {
        found.contains { $0.allowance.rule == rule && $0.allowance.covers(place, in: $0.path) }
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
                    why: "A comment that allows nothing would hide the same mistake if it came back.",
                    fix: fix
                )
            }
            guard let rule = allowance.rule else {
                return finding(
                    "the comment gives no rule or no reason", fix: "Write: // modules:allow RULE: the reason")
            }
            guard RuleText.all[rule] != nil else {
                return finding(
                    "no rule is named \(rule)",
                    fix: Spelling.choice(for: rule, among: Array(RuleText.all.keys)))
            }
            let count = remaining.count
            remaining.removeAll { finding in
                finding.rule == rule && allowance.covers(finding.place, in: path)
            }
            return remaining.count == count && judged.contains(rule)
                ? finding("\(rule) finds nothing that this comment allows", fix: "Remove the comment.") : nil
        }
        return remaining + unneeded
    }
}

extension Allowance {
    /// Whether the comment, which stands in a file, allows findings at a place.
    package func covers(_ place: SourcePlace, in path: String) -> Bool {
        // A finding about a package stands in the first line of its manifest, above which no comment can stand, and one
        // about a changed file in its first line. Two comments may stand there, for two rules.
        let isFirst = place.line == 1 && position.line <= 3
        return place.path == path
            && (place.line == line
                || isFirst && (PathText.split(path).name == "Package.swift" || rule == Rule.versionRaisedID))
    }
}
