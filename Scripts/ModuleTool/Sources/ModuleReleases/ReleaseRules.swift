import Foundation
import ModuleKit
import ModuleRules
import ModuleVersions

extension Rule {
    static let versionLowered = Rule("version-lowered", in: .versions, counting: { try $0.rows() }) {
        report in
        guard let releases = try report.context.releases else { return }
        for package in releases.imps + releases.apis + releases.libraries {
            guard let old = package.lowered else { continue }
            let isImp = report.tree.package(package.name)?.role == .imp
            let also =
                isImp ? ", also as the floor and in \(report.tree.names.moduleType(package.row))" : ""
            report(
                package.place,
                "\(package.name) went down from \(old.version) (commit \(old.commit.prefix(10))) to "
                    + "\(package.version)",
                fix: "Write \(old.version) in the row again\(also), and continue from there: "
                    + "Scripts/modules bump \(package.row) patch --note \"what changed\"",
                cause: [package.place])
        }
    }

    static let versionRaised = Rule(versionRaisedID, in: .versions, counting: { try $0.rows() }) { report in
        let context = report.context
        guard let table = try context.versions.value, let releases = try context.releases else {
            return
        }
        for change in try context.changes where change.isUnreleased {
            let release = change.release
            // The rule version-step reports what callers see of an Api.
            let isStep = change.package.role == .api && change.surface.isChanged && !change.isAccepted
            if try isStep || context.awaitsRelease(release.row) { continue }
            // Commits and files are in notes, because a baseline identifies a finding by its message.
            let file = change.files.first { context.tree.contents(of: $0) != nil }
            let libraries = change.changedLibraries.joined(separator: " and ")
            report(
                file.map { SourcePlace(path: $0) } ?? change.package.place,
                libraries.isEmpty
                    ? "\(release.name)'s sources changed, but its version is still \(release.version)"
                    : "\(libraries), which \(release.name) shows, changed, but the version of \(release.name) is "
                        + "still \(release.version)",
                fix: try context.noting(release.row) + "Scripts/modules bump \(release.row) \(change.step)"
                    + (change.package.role == .api ? " --api-only" : "") + " --note \"what changed\"",
                notes: change.files.prefix(5).map {
                    .init(SourcePlace(path: $0), "changed since \(change.base.commit.prefix(10))")
                } + [.init(release.place, "the version")],
                cause: [release.place], home: VersionsFile.path)
        }
        for row in table.rows {
            guard let old = releases.lowerImp(of: row, in: table) else { continue }
            let owner = row.api.owner ?? row.module
            // The rule version-lowered asks for the Api's higher version.
            if releases.apis.contains(where: { $0.row == owner && $0.lowered != nil }) { continue }
            let api =
                owner == row.module ? "its Api" : "\(context.tree.names.api(owner)), which it implements,"
            report(
                row.place,
                "\(row.module)'s IMP rose from \(old) to \(row.imp), but \(api) is still "
                    + (table.row(of: owner)?.api.description ?? ""),
                fix: "Raise the Api's version too: "
                    + "Scripts/modules bump \(owner) patch --api-only --note \"what changed\"",
                cause: [row.place])
        }
    }

    static let versionStep = Rule("version-step", in: .versions, counting: { try $0.rows() }) { report in
        for change in try report.context.changes where change.package.role == .api {
            let isUnraised = change.base.version == change.release.version
            // A note announces the next version. It does not excuse the step of a version that has been raised.
            guard change.surface.isChanged, !change.isRaised, change.release.lowered == nil,
                try !isUnraised || !report.context.awaitsRelease(change.release.row)
            else { continue }
            let fix = try isUnraised ? report.context.noting(change.release.row) : "Run: "
            for effect in change.effects {
                report(
                    effect.place,
                    "\(change.package.name) changed since \(change.base.version), but its version is "
                        + "\(change.release.version): \(effect.what)",
                    fix: fix
                        + "Scripts/modules bump \(change.release.row) \(change.step) --note \"what changed for callers\"",
                    notes: [.init(change.release.place, "the version")],
                    cause: [change.release.place, change.cause(effect.what)],
                    home: change.package.manifestPath)
            }
        }
    }

    static let versionDeprecation = Rule(
        "version-deprecation", in: .versions, counting: { try $0.rows() }
    ) { report in
        let removals = try report.context.changes.flatMap { change in
            change.unannounced.map { (change: change, removal: $0) }
        }
        // What a library has removed is one finding, however many Apis show the library.
        let causes = Dictionary(grouping: removals) { change, removal in
            "\(removal.library ?? "\(change.package.name) \(change.base.version)"): \(removal.what)"
        }
        for found in causes.values {
            let (change, removal) = found[0]
            let place = change.place(of: removal)
            // An accepted break needs no announcement.
            if try report.context.allowances.value.allows(Rule.versionStep.id, at: place) { continue }
            let what = change.text(of: removal)
            let owner = removal.library.flatMap { report.tree.package($0) } ?? change.package
            report(
                place, "\(change.package.name): \(what), but was not deprecated in \(change.base.version)",
                fix: "Restore it in \(owner.path), marked @available(*, deprecated, message: \"...\").",
                notes: [.init(change.release.place, "the version")]
                    + found.filter { $0.change.package !== change.package }.map {
                        .init($0.change.release.place, "\($0.change.package.name) shows it too")
                    }, cause: found.map { $0.change.cause($0.change.text(of: $0.removal)) },
                home: change.package.manifestPath)
        }
    }
}

extension PackageChange {
    /// What identifies an effect of the change: several members may be removed from one place.
    fileprivate func cause(_ what: String) -> SourcePlace { SourcePlace(path: "\(package.name): \(what)") }
}

extension RuleContext {
    /// Whether the changes of a pair or library wait for its next release, below "Unreleased" in CHANGELOG.md.
    func awaitsRelease(_ row: String) throws -> Bool {
        guard let data = try changelog(of: row).flatMap(tree.contents) else { return false }
        return !Changelog(String(decoding: data, as: UTF8.self)).unreleased.isEmpty
    }

    /// The first half of a fix: how to let a change wait for the next release.
    func noting(_ row: String) throws -> String {
        try changelog(of: row).map { "Write the change below '## Unreleased' in \($0), or release it: " }
            ?? "Run: "
    }

    /// The path of the change notes of a library or of the Api that a row's IMP implements.
    private func changelog(of row: String) throws -> String? {
        guard let table = try versions.value else { return nil }
        let name = table.row(of: row).map { tree.names.api($0.api.owner ?? row) } ?? row
        return tree.package(name).map { "\($0.path)/\(Changelog.name)" }
    }
}
