import ModuleTree

/// Checks one revision of VERSIONS.md against the release rule. ModuleRules compares the revisions of different
/// commits.
extension VersionsFile {
    /// The rows that break the release rule, in line order.
    package var inconsistencies: [Diagnostic] {
        rows.flatMap(inconsistencies(of:))
            + libraries.compactMap { library in
                row(of: library.name).map { row in
                    Diagnostic(
                        .configuration, at: library.place,
                        "\(library.name) already has a row among the pairs, on line \(row.line).",
                        why: "A package is either half of a pair or a library.",
                        fix: "Delete one of the rows.")
                }
            }
    }

    /// The problems with one row.
    package func inconsistencies(of row: Row) -> [Diagnostic] {
        var problems: [Diagnostic] = []
        func report(_ what: String, why: String, fix: String) {
            problems.append(Diagnostic(.configuration, at: row.place, what, why: why, fix: fix))
        }
        if row.floor != row.imp {
            report(
                "the floor of \(row.module) is \(row.floor), but its IMP is \(row.imp).",
                why: "An Api requires the IMP version that it is released with, or a later one.",
                fix: "Write: >= \(row.imp)")
        }
        if let version = row.api.version, version < row.imp {
            report(
                "the Api of \(row.module) is \(version), below its IMP's \(row.imp).",
                why: "Whenever an IMP's version rises, its Api's version must rise too.",
                fix: "Raise the Api's version to at least \(row.imp), and add a change note.")
        }
        if let other = row.api.owner, self.row(of: other)?.api.version == nil {
            report(
                "the Api cell of \(row.module) names \(other), which has no Api of its own.",
                why: "An alternative IMP implements the Api of an existing pair.",
                fix: "Write the name of a pair in this table, or the version of \(row.module)'s own Api.")
        }
        return problems
    }
}
