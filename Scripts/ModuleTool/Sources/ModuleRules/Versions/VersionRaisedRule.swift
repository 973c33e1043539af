import Foundation
import ModuleTree
import ModuleVersions

/// Changed sources of an IMP or a library have a new version, and a new version of an IMP has a new one of its Api.
struct VersionRaisedRule: Rule {
    let id = "version-raised"
    let group = RuleGroup.versions
    let why = """
        a version stands for one state of the sources; and an IMP's update must raise its Api too, even with no \
        protocol changed, so that the two never disagree (1-ApiCenter, 说明 4)
        """
    let explanation = """
        The files of an IMP's or a library's `Sources` are what they were at the commit that gave it its version \
        (or at --since), unless the version was raised. Where an IMP's version was raised, the Api's was. Tests \
        and manifests do not count. A module type that says another version than the table, and changed in \
        nothing else, is for version-in-code.

        An alternative IMP has a version and a floor of its own, and no Api: what it raises is the Api that it \
        implements, for that Api's notes are all that callers read, whichever IMP their app selects. The pair's \
        own IMP stays as it is, and the numbers of the two IMPs have nothing to do with each other. A new \
        alternative raises nothing.

        Of the history the first parents count: a merge is one step, and gives the versions that it brings. \
        So a change that was made before its branch merged a raise from main, and reached main by a fast-forward, \
        is seen with --since alone: bring branches in by a merge, or rebase them.

        Breaks it:  an edit of Packages/Business/Ride/Sources after the commit that wrote | Ride | 1.2.0 | 1.2.0 |
        Mend it:    Scripts/modules bump Ride patch --note "what changed", which raises IMP and Api; of an \
        alternative the IMP, and the Api that it implements; of a library its one version
        """

    func findings(in subject: Subject) throws -> [Finding] {
        guard let releases = try subject.releases.value else { return [] }
        return try releases.modules.flatMap { module -> [Finding] in
            guard let package = subject.tree.package(module.row.module), package.role == .imp else {
                return []
            }
            let base = module.impBases.first { $0.row.imp == module.row.imp }?.commit
            return try unraised(package, module.row.imp, since: base, module.row.place, in: subject)
                + behind(module)
        }
            + releases.libraries.flatMap { library -> [Finding] in
                guard let package = subject.tree.package(library.row.name), package.isLibrary else {
                    return []
                }
                return try unraised(
                    package, library.row.version, since: library.base, library.row.place, in: subject)
            }
    }

    /// - Parameters:
    ///   - version: The version that the table gives the package.
    ///   - base: The commit that gave it; nil when none has.
    ///   - row: Where the table does.
    private func unraised(
        _ package: LocalPackage, _ version: SemanticVersion, since base: String?, _ row: SourcePlace,
        in subject: Subject
    ) throws -> [Finding] {
        guard let base, let releases = try subject.releases.value else { return [] }
        let files = try releases.changed(since: base, in: package.mainTargets.map(\.folder))
            .filter { try !saysAnotherVersion($0, of: package, version, releases.git, in: subject) }
            .map(\.path)
        guard let first = files.first else { return [] }
        return [
            finding(
                row,
                "\(package.name)'s sources changed since \(base.prefix(10)), and its version is still "
                    + "\(version): \(first)" + (files.count > 1 ? " and \(files.count - 1) more" : ""),
                mend: "Scripts/modules bump \(package.name) patch --note \"what changed\"",
                notes: files.prefix(5).map { .init(SourcePlace(path: $0), "changed") })
        ]
    }

    /// Whether all that changed in a file is the version that its module type says.
    private func saysAnotherVersion(
        _ change: GitRepository.Change, of package: LocalPackage, _ version: SemanticVersion,
        _ git: GitRepository, in subject: Subject
    ) throws -> Bool {
        let said = subject.tree.versionsInCode(of: package).first { $0.place.path == change.path }
        guard let said, said.version != version, let blob = change.old,
            let new = FileManager.default.contents(atPath: subject.tree.root + "/" + change.path),
            let old = try git.contents([blob]).first.flatMap(\.self)
        else { return false }
        let text = String(decoding: new, as: UTF8.self)
        return Data(text.replacing("\"\(said.literal)\"", with: "\"\(version)\"").utf8) == old
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
