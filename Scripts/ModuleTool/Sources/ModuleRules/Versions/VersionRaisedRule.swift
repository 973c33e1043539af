import Foundation
import ModuleTree
import ModuleVersions

/// If the sources of an IMP or a library change, its version must rise. If the version of an IMP rises, the
/// version of its Api must rise too.
struct VersionRaisedRule: Rule {
    let id = "version-raised"
    let group = RuleGroup.versions
    let subject = RuleSubject.rows
    let why = """
        a version stands for one state of the sources, and an update of the IMP must raise its Api's version \
        too, even if no protocol changed, so that both always match
        """
    let source: String? = "1-ApiCenter, 说明 4"
    let explanation = """
        Unless its version was raised, the `Sources` of an IMP or a library must match those at the \
        commit that set the version (or at --since). If the version of an IMP was raised, the version \
        of its Api must be raised too. Tests and manifests do not count. A file in which only the version \
        literal of the module type changed is left to version-in-code.

        An alternative IMP has a version and a floor of its own, but no Api. Bumping an alternative IMP raises the \
        version of the Api that it implements, because callers read only the notes of that Api, whichever IMP \
        their app selects. The pair's own IMP keeps its version, and the versions of the two IMPs are \
        independent. Adding an alternative IMP raises no version.

        Only the first-parent history counts: a merge is one step, and sets the versions that its branch set. \
        One case is therefore found only with --since: a branch changes sources, then merges a raised \
        version from main, and then reaches main by a fast-forward. To avoid this case, rebase branches or \
        merge them with a merge commit.

        Breaks it:  an edit of Packages/Business/Ride/Sources after the commit that wrote | Ride | 1.2.0 | 1.2.0 |
        Fix it:     Scripts/modules bump Ride patch --note "what changed". This bumps the IMP and its Api; \
        for an alternative IMP, that IMP and the Api that it implements; for a library, the library.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        guard let table = try context.versions.value, let releases = try context.releases.value
        else { return [] }
        let unraised = try (releases.imps + releases.libraries).compactMap { release -> Finding? in
            let files = try context.changedSources(of: release)
            guard let base = release.base, !files.isEmpty else { return nil }
            // Commits and files are in notes, because a baseline identifies a finding by its message.
            return finding(
                release.place,
                "\(release.name)'s sources changed, but its version is still \(release.version)",
                fix: "Scripts/modules bump \(release.name) patch --note \"what changed\"",
                notes: files.prefix(5).map {
                    .init(SourcePlace(path: $0), "changed since \(base.prefix(10))")
                })
        }
        let behind = table.rows.compactMap { row -> Finding? in
            guard let old = releases.lowerImp(of: row, in: table) else { return nil }
            let owner = row.api.owner ?? row.module
            return finding(
                row.place,
                "\(row.module)'s IMP rose from \(old) to \(row.imp), but "
                    + (owner == row.module
                        ? "its Api" : "\(context.tree.names.api(owner)), which it implements,")
                    + " is still \(table.row(of: owner)?.api.description ?? "")",
                fix:
                    "raise the Api's version too: Scripts/modules bump \(owner) patch --api-only --note \"what changed\""
            )
        }
        return unraised + behind
    }
}

extension RuleContext {
    /// The source files of an IMP or a library that changed since the commit that gave it its current version.
    /// Ignores a file in which only the version literal of the module type changed.
    func changedSources(of release: Releases.Package) throws -> [String] {
        guard let base = release.base, let releases = try releases.value,
            let package = tree.package(release.name), package.role == .imp || package.isLibrary
        else { return [] }
        return try releases.changed(since: base, in: package.mainTargets.map(\.folder))
            .filter { try !saysAnotherVersion($0, of: package, release.version, releases.git) }.map(\.path)
    }

    private func saysAnotherVersion(
        _ change: GitRepository.Change, of package: LocalPackage, _ version: SemanticVersion,
        _ git: GitRepository
    ) throws -> Bool {
        let said = tree.versionsInCode(of: package).first { $0.place.path == change.path }
        guard let said, said.version != version, let blob = change.old,
            let new = FileManager.default.contents(atPath: tree.root + "/" + change.path),
            let old = try git.contents([blob]).first.flatMap(\.self)
        else { return false }
        let text = String(decoding: new, as: UTF8.self)
        return Data(text.replacing("\"\(said.literal)\"", with: "\"\(version)\"").utf8) == old
    }
}
