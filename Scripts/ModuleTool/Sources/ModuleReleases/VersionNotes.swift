import Foundation
import ModuleKit
import ModuleRules
import ModuleVersions

extension Rule {
    static let versionNotes = Rule("version-notes", in: .versions, counting: { try $0.rows() }) { report in
        // If a tree of pairs has no VERSIONS.md, the rule version-table reports this.
        guard try report.context.versions.value != nil, let releases = try report.context.releases
        else { return }
        var pasts: [PastNotes] = []
        for release in releases.apis + releases.libraries {
            guard let package = report.tree.package(release.name) else { continue }
            let path = package.path + "/" + Changelog.name
            guard let data = report.tree.contents(of: path) else {
                report(
                    package.place, "\(package.name) has no \(Changelog.name)",
                    fix: "Write \(path) with the heading '## \(release.version)' and the changes.")
                continue
            }
            // If the version was lowered, version-lowered says which one to restore.
            if release.lowered != nil { continue }
            let now = Changelog(String(decoding: data, as: UTF8.self))
            for problem in now.problems(of: release.name, current: release.version) {
                report(problem, in: path)
            }
            if release.isNew { continue }
            // Notes below the previous version are compared with the state before that version. All other notes are
            // compared with the state before the current version.
            let previous = release.bases.last { $0.version < release.version }
            func compare(_ revision: String, _ isCompared: @escaping (SemanticVersion) -> Bool) {
                let blob = releases.git.blob(path, at: revision)
                pasts.append((release.name, path, data, now, isCompared, blob))
            }
            if let previous { compare(previous.before) { $0 < previous.version } }
            compare(release.base?.before ?? "HEAD") {
                $0 >= previous?.version ?? $0 && $0 < release.version
            }
        }
        // One git process reads all old notes.
        for (past, data) in zip(pasts, try releases.git.contents(pasts.map(\.blob))) {
            guard let data, data != past.data else { continue }
            for old in Changelog(String(decoding: data, as: UTF8.self)).notes {
                let now = past.now.notes.first { $0.version == old.version }
                guard let version = old.version, past.isCompared(version), now?.text != old.text else {
                    continue
                }
                report(
                    SourcePlace(path: past.path, line: now?.line ?? 1),
                    "the note of the older version \(past.name) \(version) "
                        + (now == nil ? "is gone" : "has changed"),
                    fix: "Restore the note; git log -p \(past.path) shows it.")
            }
        }
    }
}

/// A CHANGELOG.md, and the earlier state to compare it with. Only some versions are compared.
private typealias PastNotes = (
    name: String, path: String, data: Data, now: Changelog, isCompared: (SemanticVersion) -> Bool,
    blob: String
)
