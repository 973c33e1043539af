import ModuleTree

/// No released version ever goes down.
struct VersionLoweredRule: Rule {
    let id = "version-lowered"
    let group = RuleGroup.versions
    let subject = RuleSubject.rows
    let why = "users of the higher version would never get the new one"
    let source: String? = "1-ApiCenter, 说明 4"
    let explanation = """
        The version of an Api, an IMP or a library must not be lower than any of its released versions, or, \
        with --since, than its released version at that revision.

        Breaks it:  1.3.0 at the last commit, 1.2.1 now
        Fix it:     write 1.3.0 again, and continue from there: Scripts/modules bump Ride patch --note \
        "..."
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        guard let releases = try context.releases.value else { return [] }
        func lowered(_ packages: [Releases.Package], also: (String) -> String = { _ in "" }) -> [Finding] {
            packages.compactMap { package in
                package.lowered.map { old in
                    finding(
                        package.place,
                        "\(package.name) went down from \(old.version) (commit \(old.commit.prefix(10))) to "
                            + "\(package.version)",
                        fix:
                            "write \(old.version) in the row again\(also(package.row)), and continue from there: "
                            + "Scripts/modules bump \(package.row) patch --note \"what changed\"")
                }
            }
        }
        let names = context.tree.names
        return lowered(releases.imps) { ", also as the floor and in \(names.moduleType($0))" }
            + lowered(releases.apis) + lowered(releases.libraries)
    }
}
