import Foundation
import ModuleTree
import ModuleVersions

/// Every Api and every library has a CHANGELOG.md, and the notes of released versions never change.
struct VersionNotesRule: Rule {
    let id = "version-notes"
    let group = RuleGroup.versions
    let subject = RuleSubject.rows
    let why = "callers read the notes of an Api to learn what a new version means for them"
    let source: String? = "1-ApiCenter, 说明 4"
    let explanation = """
        The package of each Api and of each library has a CHANGELOG.md, with a heading for each version, \
        newest first. The current version must have a note. A heading `## Unreleased` may be above all \
        others. The notes of older versions must be the same as before the current version was released.

        Breaks it:  a corrected word in the note of 1.2.0, after 1.3.0 was released
        Fix it:     restore the old note, and write the correction into the next one: Scripts/modules bump Ride \
        patch --note "..."
        """

    func findings(in context: RuleContext) throws -> [Finding] {
        // If a tree of pairs has no VERSIONS.md, the rule version-table reports this.
        guard try context.versions.value != nil, let releases = try context.releases.value else { return [] }
        var findings: [Finding] = []
        var pasts: [Past] = []
        for release in releases.apis + releases.libraries {
            guard let package = context.tree.package(release.name) else { continue }
            let path = package.path + "/" + Changelog.name
            guard let data = FileManager.default.contents(atPath: context.tree.root + "/" + path) else {
                findings.append(
                    finding(
                        package.place, "\(package.name) has no \(Changelog.name)",
                        fix: "write \(path) with the heading '## \(release.version)' and the changes"))
                continue
            }
            // If the version was lowered, version-lowered says which one to restore.
            if release.lowered != nil { continue }
            let changelog = Changelog(String(decoding: data, as: UTF8.self))
            findings += changelog.problems(of: release.name, current: release.version).map { problem in
                finding(
                    SourcePlace(path: path, line: problem.line), "\(problem.what) \(problem.why)",
                    fix: problem.fix)
            }
            if release.isNew { continue }
            // Notes below the previous version are compared with the state before that version. All other notes are
            // compared with the state before the current version.
            let previous = release.bases.last { $0.version < release.version }
            func compare(with revision: String, above: SemanticVersion, lowest: SemanticVersion? = nil) {
                pasts.append(
                    Past(
                        name: release.name, path: path, data: data, now: changelog, lowest: lowest,
                        above: above, blob: releases.git.blob(path, at: revision)))
            }
            if let previous { compare(with: previous.before, above: previous.version) }
            compare(
                with: release.base?.before ?? "HEAD", above: release.version, lowest: previous?.version)
        }
        // One git process reads all old notes.
        let contents = try releases.git.contents(pasts.map(\.blob))
        return findings
            + zip(pasts, contents).flatMap { past, data in data.map { rewritten(past, $0) } ?? [] }
    }

    /// A CHANGELOG.md, and the earlier state to compare it with. Only notes below the version `above` are compared,
    /// and none below `lowest`.
    private struct Past {
        let name: String
        let path: String
        let data: Data
        let now: Changelog
        let lowest: SemanticVersion?
        let above: SemanticVersion
        let blob: String
    }

    /// Finds the notes of lower versions that have changed.
    private func rewritten(_ past: Past, _ data: Data) -> [Finding] {
        if data == past.data { return [] }
        return Changelog(String(decoding: data, as: UTF8.self)).notes.compactMap { old in
            let now = past.now.notes.first { $0.version == old.version }
            guard let version = old.version, version >= past.lowest ?? version, version < past.above,
                now?.text != old.text
            else { return nil }
            return finding(
                SourcePlace(path: past.path, line: now?.line ?? 1),
                "the note of the older version \(past.name) \(version) "
                    + (now == nil ? "is gone" : "has changed"),
                fix: "restore the note; git log -p \(past.path) shows it")
        }
    }
}
