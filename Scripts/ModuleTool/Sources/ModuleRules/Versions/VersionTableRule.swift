import ModuleTree
import ModuleVersions

/// The table of pairs in VERSIONS.md is complete: a row for every IMP, alternatives included, with its version as floor.
struct VersionTableRule: Rule {
    let id = "version-table"
    let group = RuleGroup.versions
    let subject = RuleSubject.imps
    let needsWholeTree = true
    let why = "an Api is a pair's only interface to the outside, and requires the IMP of its release"
    let source: String? = "1-ApiCenter, 说明 3 and 4"
    let explanation = """
        The first table of VERSIONS.md must have a row for every IMP of the tree, and each of its rows must \
        belong to an IMP. The row of an alternative IMP names the pair whose Api it implements; every other row has \
        the version of the pair's own Api, which must not be lower than the IMP's. The floor must be `>=` and the \
        IMP's version. Rows are in alphabetical order, and versions follow Semantic Versioning.

        Breaks it:  | Ride | 1.2.0 | 1.3.0 | >= 1.2.0 |
        Fix it:     Scripts/modules bump Ride minor --note "what changed for callers"
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        let tree = context.tree
        let imps = tree.packages.filter { $0.role == .imp }
        guard let table = try context.versions.value else {
            guard !imps.isEmpty else { return [] }
            return [
                finding(
                    SourcePlace(path: VersionsFile.path), "the tree has pairs but no \(VersionsFile.path)",
                    fix: "write the table | Module | Api | IMP | Floor |, with a row for each IMP")
            ]
        }
        let written = (table.problems + table.inconsistencies).map { problem in
            finding(
                SourcePlace(path: VersionsFile.path, line: max(problem.line, 1)),
                "\(problem.what) \(problem.why)",
                fix: problem.fix, repair: problem.isOrder ? .sort : nil)
        }
        let rows = table.unread.union(table.rows.map(\.module))
        let unlisted = imps.filter { !rows.contains($0.name) }.map { imp in
            finding(
                SourcePlace(path: VersionsFile.path), "\(imp.name) has no row",
                fix:
                    "add a row with its versions, such as | \(imp.name) | 1.0.0 | 1.0.0 | >= 1.0.0 |",
                notes: [.init(imp.place, "the package")])
        }
        let names = Set(imps.map(\.name))
        let unknown = table.rows.filter { !names.contains($0.module) }.map { row in
            finding(
                row.place, "the table lists \(row.module), but the tree has no such IMP",
                fix: "remove the row, or add the package")
        }
        return written + unlisted + unknown
    }
}
