import ModuleTree
import ModuleVersions

/// Changed sources of an IMP have a new version, and a new version of an IMP has a new one of its Api.
struct VersionRaisedRule: Rule {
    let id = "version-raised"
    let group = RuleGroup.versions
    let why = """
        an IMP's update must raise its Api too, even with no protocol changed, so that the two never disagree \
        (1-ApiCenter, 说明 4)
        """
    let explanation = """
        The files of an IMP's `Sources` are what they were at the commit that gave the IMP its version (or at \
        --since), unless the version was raised. Where the IMP's version was raised, the Api's was. Tests and \
        manifests do not count.

        An alternative IMP has a version and a floor of its own, and no Api: what it raises is the Api that it \
        implements, for that Api's notes are all that callers read, whichever IMP their app selects. The pair's \
        own IMP stays as it is, and the numbers of the two IMPs have nothing to do with each other. A new \
        alternative raises nothing.

        Of the history the first parents count: a merge is one step, and gives the versions that it brings.

        Breaks it:  an edit of Packages/Business/Ride/Sources after the commit that wrote | Ride | 1.2.0 | 1.2.0 |
        Mend it:    Scripts/modules bump Ride patch --note "what changed", which raises IMP and Api; of an \
        alternative the IMP, and the Api that it implements
        """

    func findings(in subject: Subject) throws -> [Finding] {
        guard let releases = try subject.releases.value else { return [] }
        return try releases.modules.flatMap { module -> [Finding] in
            guard let package = subject.tree.package(module.row.module), package.role == .imp else {
                return []
            }
            return try unraised(module, package, releases) + behind(module)
        }
    }

    private func unraised(
        _ module: Releases.Module, _ package: LocalPackage, _ releases: Releases
    ) throws -> [Finding] {
        try module.impBases.compactMap { base in
            guard base.row.imp == module.row.imp else { return nil }
            let files = try releases.changed(since: base.commit, in: package.mainTargets.map(\.folder))
            guard let first = files.first else { return nil }
            return finding(
                module.row.place,
                "\(package.name)'s sources changed since \(base.commit.prefix(10)), and its version is still "
                    + "\(module.row.imp): \(first)" + (files.count > 1 ? " and \(files.count - 1) more" : ""),
                mend: "Scripts/modules bump \(package.name) patch --note \"what changed\"",
                notes: files.prefix(5).map { .init(SourcePlace(path: $0), "changed") })
        }
    }

    /// The IMP rose, and the Api that it implements did not.
    private func behind(_ module: Releases.Module) -> [Finding] {
        let row = module.row
        guard let api = module.api else { return [] }
        let base = (module.highest + module.impBases).first { base in
            base.row.imp < row.imp && base.row.api.owner == row.api.owner && base.api == api
        }
        guard let base else { return [] }
        let owner = row.api.owner ?? row.module
        return [
            finding(
                row.place,
                "\(row.module)'s IMP rose from \(base.row.imp) to \(row.imp), and "
                    + (owner == row.module ? "its Api" : "\(owner)Api, which it implements,")
                    + " is still \(api)",
                mend:
                    "raise the Api too: Scripts/modules bump \(owner) patch --api-only --note \"what changed\""
            )
        ]
    }
}

extension VersionsFile.Api {
    /// The pair whose Api it is; nil for one's own.
    fileprivate var owner: String? {
        if case .of(let other) = self { other } else { nil }
    }
}
