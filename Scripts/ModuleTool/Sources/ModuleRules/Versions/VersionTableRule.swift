import ModuleTree
import ModuleVersions

/// The release table is complete: a row for every IMP, and matching floors.
struct VersionTableRule: Rule {
    let id = "version-table"
    let group = RuleGroup.versions
    let subject = RuleSubject.imps
    let needsWholeTree = true
    let why = "the Api is a pair's only interface to the outside, and requires a minimum version of its IMP"
    let source: String? = "1-ApiCenter, 说明 3 and 4"
    let explanation = """
        VERSIONS.md must have a row for every IMP of the tree, and every row must belong to an IMP. \
        The rows are in alphabetical order. Versions must follow Semantic Versioning. The floor must be `>=` and \
        the IMP's version, and the Api's version must not be lower than the IMP's.

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
                    fix: "write the table | Module | Api | IMP | Floor |, with a row for each pair")
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
