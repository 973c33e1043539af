import ModuleTree
import ModuleVersions

/// No version ever goes down.
struct VersionLoweredRule: Rule {
    let id = "version-lowered"
    let group = RuleGroup.versions
    let why = "users of the higher version would never get the new one (1-ApiCenter, 说明 4)"
    let explanation = """
        A row's Api version and IMP version must not be lower than at any earlier commit of VERSIONS.md \
        or, with --since, than at that revision.

        Breaks it:  1.3.0 at the last commit, 1.2.1 now
        Fix it:     write 1.3.0 again, and continue from there: Scripts/modules bump Ride patch --note \
        "..."
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        guard let releases = try context.releases.value else { return [] }
        return releases.modules.flatMap { module in
            let row = module.row
            let imp = module.highest.filter { $0.row.imp > row.imp }.max { $0.row.imp < $1.row.imp }.map {
                base in
                lowered(row, "IMP", base.row.imp, row.imp, base)
            }
            let api = module.highest.compactMap { base -> (SemanticVersion, Releases.Base)? in
                guard let old = base.row.api.version, let new = row.api.version, old > new else { return nil }
                return (old, base)
            }.max { $0.0 < $1.0 }.map { old, base in
                lowered(row, "Api", old, row.api.version ?? old, base)
            }
            return [imp, api].compactMap(\.self)
        }
    }

    private func lowered(
        _ row: VersionsFile.Row, _ half: String, _ old: SemanticVersion, _ new: SemanticVersion,
        _ base: Releases.Base
    ) -> Finding {
        finding(
            row.place,
            "the \(half) of \(row.module) went down from \(old) (commit \(base.commit.prefix(10))) to \(new)",
            fix: "write \(old) in the row again"
                + (half == "IMP" ? ", as the floor and in \(row.module)Module too" : "")
                + ", and continue from there: "
                + "Scripts/modules bump \(row.module) patch --note \"what changed\"")
    }
}
