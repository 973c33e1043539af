import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions

/// Plans releases: the new rows of VERSIONS.md, the notes, and the versions in the module types.
struct VersionRaises {
    let root: TreeRoot
    let tree: Tree
    /// The change notes, one for each change, in addition to the unreleased changes.
    let notes: [String]
    /// The date of the release, such as `2026-11-25`.
    private let day = Date.now.formatted(.iso8601.year().month().day())
    private(set) var versions: VersionsFile
    private var changes: [Change] = []
    private var summary: [String] = []
    /// The paths of the packages' CHANGELOG.md files that lack a note.
    private var lacking: [String] = []

    /// The packages that are generated from pairs.
    private let generated: GeneratedPackage.Finder

    init(_ root: TreeRoot, notes: [String], generated: @escaping GeneratedPackage.Finder) throws {
        self.generated = generated
        (self.root, tree) = (root, try root.tree())
        self.notes = notes.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        versions = try root.versionsFile()
        guard !self.notes.contains("") else {
            throw Diagnostic(
                .configuration, "a note is empty.", why: "The notes tell callers what a new version changes.",
                fix: "Pass --note \"what changed\".")
        }
    }

    mutating func plan(_ raises: [VersionRaise]) throws -> EditPlan {
        let names = raises.map(\.name)
        let followers = try generated(root, tree).filter { $0.pair.map(names.contains) == true }
        for raise in raises where !followers.contains(where: { $0.name == raise.name }) {
            try add(raise, notes: notes)
        }
        // The code that calls and serves a pair in another process states the pair's versions.
        for follower in followers {
            let files = try follower.stale(versions)
            changes += Change.writing(files)
            guard !files.isEmpty, let pair = follower.pair,
                let raise = raises.first(where: { $0.name == pair }), let api = versions.row(of: pair)?.api
            else { continue }
            try add(
                VersionRaise(name: follower.name, step: raise.step, imps: []),
                notes: ["Follows \(root.configuration.api(pair)) \(api)."])
        }
        guard lacking.isEmpty else {
            throw Diagnostic(
                .configuration, "notes are missing:" + lacking.map { "\n  \($0)" }.joined(),
                why: "The notes tell callers what a new version changes.",
                fix:
                    "Write the changes below '## Unreleased' in each of these files, or pass --note \"what changed\"."
            )
        }
        changes.append(.write(path: VersionsFile.path, contents: versions.text))
        return EditPlan(summary.joined(separator: "\n"), changes: changes)
    }

    /// What a message says about the git tag that releases a version, by default that of the first Api or library.
    func tagging(_ name: String? = nil, _ version: SemanticVersion? = nil) -> String {
        let pair = versions.rows.first { $0.api.version != nil }
        let name = name ?? pair?.module ?? versions.libraries.first?.name ?? ""
        let version =
            version ?? versions.row(of: name)?.api.version ?? versions.library(name)?.version
            ?? SemanticVersion(1, 0, 0)
        let patterns = root.configuration.releaseTags
        return ReleaseTag.example(of: version, name, matching: patterns).map {
            "tag the commit: git tag \($0)"
        }
            ?? "list the names of tags in release-tags of \(Configuration.path), and tag the commit."
    }

    private mutating func add(_ raise: VersionRaise, notes: [String]) throws(Diagnostic) {
        var row = versions.row(of: raise.name)
        guard let old = row?.api.version ?? versions.library(raise.name)?.version else { return }
        let package = row == nil ? raise.name : root.configuration.api(raise.name)
        let version = raise.step.map { old.raised(by: $0) } ?? old
        try note(version, isNew: raise.step != nil, of: package, notes)
        // A package that was never released keeps its version.
        guard let step = raise.step else {
            return summary.append(
                "\(package) \(version) awaits its first release: commit, and \(tagging(raise.name, version))."
            )
        }
        row?.api = .own(version)
        versions = row.map(versions.with) ?? versions.with(.init(name: raise.name, version: version))
        var raised = ["\(package) \(old) -> \(version)"]
        for name in raise.imps {
            guard var row = versions.row(of: name) else { continue }
            let imp = row.imp.raised(by: step)
            changes.append(try moduleType(of: row, raisedTo: imp))
            raised.append("\(name) \(row.imp) -> \(imp), floor >= \(imp)")
            row.imp = imp
            versions = versions.with(row)
        }
        summary.append("Raised \(raised.joined(separator: ", ")).")
        summary += raise.reasons.prefix(5).map { "  \(step.rawValue), because \($0)" }
        if let row, !raise.reasons.isEmpty, !raise.imps.contains(row.module) {
            summary.append("  \(row.module) keeps \(row.imp). Make sure that it builds with the new Api.")
        }
    }

    /// Adds the change that writes the note of a package's version, with the changes that await a release.
    private mutating func note(
        _ version: SemanticVersion, isNew: Bool, of package: String, _ notes: [String]
    ) throws(Diagnostic) {
        guard let folder = tree.package(package)?.path else {
            throw Diagnostic(
                .configuration, at: package, "there is no package \(package).",
                why: "\(VersionsFile.path) lists this package.",
                fix: "Remove the row of the package, or restore the folder.")
        }
        let path = folder + "/" + Changelog.name
        var changelog = root.exists(path) ? Changelog(try root.text(path)) : Changelog()
        if isNew, let noted = changelog.notes.compactMap(\.version).max(), noted >= version {
            throw Diagnostic(
                .configuration, at: path, "\(package) already has a note for \(noted).",
                why: "A version is never lowered or used twice.",
                fix: "Write the last released version in \(VersionsFile.path).")
        }
        if isNew, notes.isEmpty, changelog.unreleased.isEmpty { return lacking.append(path) }
        changelog.release(version, on: day, bullets: notes)
        changes.append(.write(path: path, contents: changelog.text))
    }

    /// The change that writes the new `version` into `XxxModule`.
    private func moduleType(
        of row: VersionsFile.Row, raisedTo version: SemanticVersion
    ) throws(Diagnostic) -> Change {
        let imp = tree.package(row.module)
        let literal = imp?.versionLiterals.first
        guard let literal, literal.text == row.imp.description else {
            let type = root.configuration.moduleType(row.module)
            throw Diagnostic(
                .configuration, at: literal?.place.description ?? imp?.path,
                literal.map { "\(type) has version \($0.text), but its row has \(row.imp)." }
                    ?? "\(type) has no version in a form that bump can edit.",
                why: "The app shows the version of each module, and bump raises the released one.",
                fix: "Write the released version in both places, as in: public let version = \"\(row.imp)\"")
        }
        let text = try root.text(literal.file.path).replacing(literal, with: version)
        return .write(path: literal.file.path, contents: text)
    }
}
