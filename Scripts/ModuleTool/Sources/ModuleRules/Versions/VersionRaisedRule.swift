import Foundation
import ModuleTree
import ModuleVersions

/// If the sources of an IMP or a library change, its version must rise. If the version of an IMP rises, the
/// version of its Api must rise too.
struct VersionRaisedRule: Rule {
    let id = "version-raised"
    let group = RuleGroup.versions
    let why = """
        a version stands for one state of the sources, and an update of the IMP must raise its Api too, even \
        if no protocol changed, so that both always match (1-ApiCenter, 说明 4)
        """
    let explanation = """
        Unless its version was raised, the `Sources` of an IMP or a library must be the same as at the \
        commit that gave it its version (or at --since). If the version of an IMP was raised, the version \
        of its Api must be raised too. Tests and manifests do not count. A file in which only the version \
        literal of the module type changed is left to version-in-code.

        An alternative IMP has a version and a floor of its own, but no Api. Its new version raises the \
        Api that it implements, because callers read only the notes of that Api, whichever IMP their app \
        selects. The pair's own IMP keeps its version, and the versions of the two IMPs are independent. A \
        new alternative IMP raises nothing.

        Only the first-parent history counts: a merge is one step, and sets the versions that its branch set. \
        One case is therefore found only with --since: a branch changes sources, then merges a raised \
        version from main, and then reaches main by a fast-forward. To avoid this case, rebase branches or \
        merge them with a merge commit.

        Breaks it:  an edit of Packages/Business/Ride/Sources after the commit that wrote | Ride | 1.2.0 | 1.2.0 |
        Fix it:     Scripts/modules bump Ride patch --note "what changed". This raises the IMP and its Api; \
        for an alternative IMP, that IMP and the Api that it implements; for a library, its version.
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        guard let releases = try context.releases.value else { return [] }
        return try releases.modules.flatMap { module -> [Finding] in
            guard let package = context.tree.package(module.row.module), package.role == .imp else {
                return []
            }
            let base = module.impBases.first { $0.row.imp == module.row.imp }?.commit
            return try unraised(package, module.row.imp, since: base, module.row.place, in: context)
                + behind(module)
        }
            + releases.libraries.flatMap { library -> [Finding] in
                guard let package = context.tree.package(library.row.name), package.isLibrary else {
                    return []
                }
                return try unraised(
                    package, library.row.version, since: library.base, library.row.place, in: context)
            }
    }

    /// - Parameters:
    ///   - version: The version of the package in the table.
    ///   - base: The commit that gave the package this version; nil if the version is not committed yet.
    ///   - row: The place of the package's row in the table.
    private func unraised(
        _ package: LocalPackage, _ version: SemanticVersion, since base: String?, _ row: SourcePlace,
        in context: RuleContext
    ) throws -> [Finding] {
        guard let base, let releases = try context.releases.value else { return [] }
        let files = try releases.changed(since: base, in: package.mainTargets.map(\.folder))
            .filter { try !saysAnotherVersion($0, of: package, version, releases.git, in: context) }
            .map(\.path)
        guard let first = files.first else { return [] }
        return [
            finding(
                row,
                "\(package.name)'s sources changed since \(base.prefix(10)), but its version is still "
                    + "\(version): \(first)" + (files.count > 1 ? " and \(files.count - 1) more" : ""),
                fix: "Scripts/modules bump \(package.name) patch --note \"what changed\"",
                notes: files.prefix(5).map { .init(SourcePlace(path: $0), "changed") })
        ]
    }

    /// Whether a file changed only in the version literal of its module type.
    private func saysAnotherVersion(
        _ change: GitRepository.Change, of package: LocalPackage, _ version: SemanticVersion,
        _ git: GitRepository, in context: RuleContext
    ) throws -> Bool {
        let said = context.tree.versionsInCode(of: package).first { $0.place.path == change.path }
        guard let said, said.version != version, let blob = change.old,
            let new = FileManager.default.contents(atPath: context.tree.root + "/" + change.path),
            let old = try git.contents([blob]).first.flatMap(\.self)
        else { return false }
        let text = String(decoding: new, as: UTF8.self)
        return Data(text.replacing("\"\(said.literal)\"", with: "\"\(version)\"").utf8) == old
    }

    /// Finds an IMP whose version rose while the version of its Api did not.
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
                "\(row.module)'s IMP rose from \(base.row.imp) to \(row.imp), but "
                    + (owner == row.module ? "its Api" : "\(owner)Api, which it implements,")
                    + " is still \(api)",
                fix:
                    "raise the Api too: Scripts/modules bump \(owner) patch --api-only --note \"what changed\""
            )
        ]
    }
}

extension VersionsFile.Api {
    /// The name of the pair that owns the Api; nil for the row's own Api.
    fileprivate var owner: String? {
        if case .of(let other) = self { other } else { nil }
    }
}
