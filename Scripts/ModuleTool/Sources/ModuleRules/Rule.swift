import ModuleKit
import ModuleTree

/// A rule: what it looks at, and what it reports about it. Why it exists, what it checks and how to fix a finding stand
/// in Rules.md, below a heading with the rule's identifier.
package struct Rule: Sendable {
    /// The rule's identifier in findings and on the command line: words joined by hyphens.
    package let id: String
    package let group: RuleGroup
    /// Whether a missing package could cause false findings, for example about the pairs that an app lacks.
    package let needsWholeTree: Bool
    /// The number of items that the rule looks at. A rule that has nothing to look at has no findings.
    let itemCount: @Sendable (RuleContext) throws -> Int
    private let look: @Sendable (inout RuleReport) throws -> Void

    /// Creates a rule that looks at the tree as a whole.
    package init(
        _ id: String, in group: RuleGroup, needsWholeTree: Bool = false,
        counting count: @escaping @Sendable (RuleContext) throws -> Int,
        _ look: @escaping @Sendable (inout RuleReport) throws -> Void
    ) {
        (self.id, self.group, self.needsWholeTree, itemCount, self.look) = (
            id, group, needsWholeTree, count, look
        )
    }

    /// Creates a rule that looks at each of some items, such as the Apis of a tree.
    package init<Item>(
        _ id: String, in group: RuleGroup, needsWholeTree: Bool = false,
        over items: @escaping @Sendable (RuleContext) throws -> [Item],
        _ look: @escaping @Sendable (Item, inout RuleReport) throws -> Void
    ) {
        self.init(id, in: group, needsWholeTree: needsWholeTree, counting: { try items($0).count }) {
            report in
            for item in try items(report.context) { try look(item, &report) }
        }
    }

    /// Returns the places where a tree breaks the rule.
    package func findings(in context: RuleContext) throws -> [Diagnostic] {
        var report = RuleReport(rule: id, context: context)
        try look(&report)
        return report.findings
    }

    /// The identifier of the rule about packages that changed without a new version. It reports the first line of a
    /// changed file.
    package static let versionRaisedID = "version-raised"
}

/// The groups of rules. `modules check` accepts the names of groups and of rules.
package enum RuleGroup: String, Sendable, CaseIterable {
    case pairs, layers, imports, registration, versions
}

/// Collects the findings of a rule.
package struct RuleReport {
    fileprivate let rule: String
    package let context: RuleContext
    package private(set) var findings: [Diagnostic] = []

    fileprivate init(rule: String, context: RuleContext) { (self.rule, self.context) = (rule, context) }

    package var tree: Tree { context.tree }

    /// Reports a finding.
    ///
    /// - Parameters:
    ///   - why: The reason; nil for the one in Rules.md.
    ///   - cause: The places for which only the strongest rule reports a finding.
    ///   - home: The file that identifies the finding in a baseline; nil for the file of `place`.
    package mutating func callAsFunction(
        _ place: SourcePlace, _ what: String, fix: String, notes: [Diagnostic.Note] = [],
        repair: Diagnostic.Repair? = nil, why: String? = nil, cause: [SourcePlace] = [], home: String? = nil
    ) {
        findings.append(
            Diagnostic(
                .rule(rule), at: place, what, why: why ?? RuleText.all[rule]?.why ?? "", fix: fix,
                notes: notes, repair: repair, cause: Set(cause).subtracting(context.targetPlaces), home: home)
        )
    }

    /// Reports a problem of a file that the rule judges.
    package mutating func callAsFunction(_ problem: Diagnostic, in path: String) {
        let place = SourcePlace(path: path, line: problem.place.line)
        self(
            place, "\(problem.what) \(problem.why)", fix: problem.fix, repair: problem.repair, cause: [place])
    }

    /// Reports a dependency, with up to five notes for its other declarations and imports.
    package mutating func callAsFunction(_ edge: DependencyEdge, _ what: String, fix: String) {
        let others =
            (edge.declarations.map { ($0, "declared here") } + edge.imports.map { ($0, "imported here") })
            .filter { $0.0 != edge.place }
        self(
            edge.place, what, fix: fix, notes: others.prefix(5).map { .init($0.0, $0.1) },
            cause: edge.places)
    }
}
