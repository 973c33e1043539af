import Foundation
import ModuleTree
import ModuleVersions

/// Plans releases: the new rows of VERSIONS.md, the notes, and the versions in the module types.
struct VersionRaises {
    let root: HouseRoot
    /// The change notes, one for each change, in addition to the unreleased changes.
    let notes: [String]
    /// The date of the release, such as `2026-11-25`.
    private let day = Date.now.formatted(.iso8601.year().month().day())
    private(set) var versions: VersionsFile
    private var changes: [Change] = []
    private var summary: [String] = []
    /// The paths of the packages' CHANGELOG.md files that lack a note.
    private var lacking: [String] = []

    init(_ root: HouseRoot, notes: [String]) throws(Diagnostic) {
        self.root = root
        self.notes = notes.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        versions = try root.versionsFile()
        guard !self.notes.contains("") else {
            throw Diagnostic(
                .configuration, "a note is empty.", why: "The notes tell callers what a new version changes.",
                fix: "Pass --note \"what changed\"")
        }
    }

    mutating func plan(_ raises: [VersionRaise]) throws -> EditPlan {
        let names = raises.map(\.name)
        let remotes = try RemotePackage.all(in: root).filter { names.contains($0.name) }
        for raise in raises where !remotes.contains(where: { $0.remote == raise.name }) {
            try add(raise, notes: notes)
        }
        // The code that calls and serves a pair in another process states the pair's versions.
        for remote in remotes {
            let files = try remote.stale(remote.api(), versions).sorted { $0.key < $1.key }
            changes += files.map { .write(path: $0.key, contents: $0.value) }
            guard !files.isEmpty, let raise = raises.first(where: { $0.name == remote.name }),
                let api = versions.row(of: remote.name)?.api
            else { continue }
            try add(
                VersionRaise(name: remote.remote, step: raise.step, imps: []),
                notes: ["Follows \(root.configuration.api(remote.name)) \(api)."])
        }
        guard lacking.isEmpty else {
            throw Diagnostic(
                .configuration, "notes are missing:" + lacking.map { "\n  \($0)" }.joined(),
                why: "The notes tell callers what a new version changes.",
                fix:
                    "Write the changes below '## Unreleased' in each of these files, or pass --note \"what changed\""
            )
        }
        changes.append(.write(path: VersionsFile.path, contents: versions.text))
        return EditPlan(summary.joined(separator: "\n"), changes: changes)
    }

    private mutating func add(_ raise: VersionRaise, notes: [String]) throws(Diagnostic) {
        guard let step = raise.step else { return try addFirst(raise.name, notes) }
        var raised: [String] = []
        if let library = versions.library(raise.name) {
            let version = library.version.raised(by: step)
            versions = versions.with(VersionsFile.Library(name: library.name, version: version))
            try note(version, of: library.name, notes)
            raised.append("\(library.name) \(library.version) -> \(version)")
        } else if var api = versions.row(of: raise.name), let old = api.api.version {
            let rows = ([raise.name] + raise.imps).compactMap(versions.row(of:))
            if let problem = rows.flatMap(versions.inconsistencies(of:)).first { throw problem }
            let version = old.raised(by: step)
            api.api = .own(version)
            versions = versions.with(api)
            let name = root.configuration.api(raise.name)
            try note(version, of: name, notes)
            raised.append("\(name) \(old) -> \(version)")
            for name in raise.imps {
                guard var row = versions.row(of: name) else { continue }
                let imp = row.imp.raised(by: step)
                changes.append(try moduleType(of: row, raisedTo: imp))
                raised.append("\(name) \(row.imp) -> \(imp), floor >= \(imp)")
                (row.imp, row.floor) = (imp, imp)
                versions = versions.with(row)
            }
        }
        summary.append("Raised \(raised.joined(separator: ", ")).")
        summary += raise.reasons.prefix(5).map { "  \(step.rawValue), because \($0)" }
    }

    /// Moves the unreleased changes of a package that was never released into the note of its version.
    private mutating func addFirst(_ name: String, _ notes: [String]) throws(Diagnostic) {
        let api = versions.row(of: name)?.api.version
        guard let version = api ?? versions.library(name)?.version else { return }
        let package = api == nil ? name : root.configuration.api(name)
        var (changelog, path) = try changelog(of: package)
        changelog.release(version, on: day, bullets: notes)
        changes.append(.write(path: path, contents: changelog.text))
        summary.append(
            "\(package) \(version) awaits its first release: commit, and tag that commit with git tag.")
    }

    private func changelog(of package: String) throws(Diagnostic) -> (Changelog, path: String) {
        let path = try root.folder(of: package) + "/" + Changelog.name
        return (root.exists(path) ? Changelog(try root.text(path)) : Changelog(), path)
    }

    /// Adds the change that writes the note of a package's new version.
    private mutating func note(
        _ version: SemanticVersion, of package: String, _ notes: [String]
    ) throws(Diagnostic) {
        var (changelog, path) = try changelog(of: package)
        if let noted = changelog.notes.compactMap(\.version).max(), noted >= version {
            throw Diagnostic(
                .configuration, at: path, "\(package) already has a note for \(noted).",
                why: "A version is never lowered or used twice.",
                fix: "Write the last released version in \(VersionsFile.path).")
        }
        if notes.isEmpty, changelog.unreleased.isEmpty { return lacking.append(path) }
        changelog.release(version, on: day, bullets: notes)
        changes.append(.write(path: path, contents: changelog.text))
    }

    /// The change that writes the new `version` into `XxxModule`.
    private func moduleType(
        of row: VersionsFile.Row, raisedTo version: SemanticVersion
    ) throws(Diagnostic) -> Change {
        let folder = try root.folder(of: row.module) + "/Sources/\(row.module)"
        let type = root.configuration.moduleType(row.module)
        for file in root.swiftFiles(in: folder) {
            let text = try root.text(file)
            guard text.contains(type), let edit = ModuleVersionEdit(text, type: type) else { continue }
            guard edit.version == row.imp.description else {
                throw Diagnostic(
                    .configuration, at: "\(file):\(edit.line)",
                    "\(type) has version \(edit.version), but its row has \(row.imp).",
                    why: "Only one of the two can be the released version.",
                    fix: "Write the released version in both places.")
            }
            return .write(path: file, contents: edit.replaced(by: version.description))
        }
        throw Diagnostic(
            .configuration, at: folder, "\(type) has no version in a form that bump can edit.",
            why: "The app shows the version of each module.",
            fix: "Write in \(type): public let version = \"\(row.imp)\"")
    }
}
