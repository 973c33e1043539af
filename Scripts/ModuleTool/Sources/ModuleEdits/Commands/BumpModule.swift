import ModuleVersions

/// Raises the versions of a pair or a library and adds the change notes:
/// `modules bump Ride minor --note "..."`.
///
/// Source: seeds/1-ApiCenter.md, "说明" 4: an update of the IMP raises the Api's version too, and the notes
/// belong to the Api.
package struct BumpModule: Edit, Sendable {
    let name: String
    let step: VersionStep
    let notes: [String]
    let isApiOnly: Bool

    /// - Parameters:
    ///   - notes: The change notes, one for each change.
    ///   - isApiOnly: Whether to leave the IMP's version unchanged, because only the Api changed.
    package init(name: String, step: VersionStep, notes: [String], isApiOnly: Bool = false) {
        (self.name, self.step, self.notes, self.isApiOnly) = (name, step, notes, isApiOnly)
    }

    /// The command, for messages: `bump Ride minor`.
    package var command: String { "bump \(name) \(step.rawValue)" }

    /// Plans the new versions.
    package func plan(_ root: HouseRoot) throws -> EditPlan {
        let notes = notes.map { $0.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        guard !notes.isEmpty, notes.allSatisfy({ !$0.isEmpty }) else {
            throw EditError(
                .usage, "a note is missing or empty.",
                why: "The notes tell callers what a new version changes.",
                fix: "Write: --note \"what changed\"")
        }
        var versions = try root.versionsFile()
        if let library = versions.library(name) {
            guard !isApiOnly else {
                throw EditError(
                    .usage, "\(name) has no Api.", why: "It is a library, not a pair.",
                    fix: "Leave out --api-only.")
            }
            return try BumpLibrary(name: name, step: step, notes: notes).plan(library, in: versions)
        }
        guard let row = versions.row(of: name) else {
            throw unlisted(versions)
        }
        let base = try apiRow(of: row, in: versions)
        for problem in versions.inconsistencies(ofRow: name)
            + versions.inconsistencies(ofRow: base.row.module)
        {
            throw EditError(
                .usage, at: "\(HouseRoot.versions):\(problem.line)", problem.what, why: problem.why,
                fix: problem.fix)
        }
        let api = try raised(base.version, of: base.row.module + "Api")
        if let noted = versions.section(of: base.row.module)?.notes.map(\.version).max(), noted >= api {
            throw EditError(
                .usage, at: HouseRoot.versions, "\(base.row.module)Api already has a note for \(noted).",
                why: "A version is never lowered or used twice.",
                fix: "Write the last released version in the table.")
        }
        var changes: [Change] = []
        var told = "\(base.row.module)Api \(base.version) -> \(api)"
        // Replace the Api's row first, because in a pair the IMP has the same row.
        var apiRow = base.row
        apiRow.api = .own(api)
        versions.replace(apiRow)
        if !isApiOnly, var impRow = versions.row(of: name) {
            let imp = try raised(row.imp, of: name)
            changes.append(try moduleType(of: row, raisedTo: imp, root))
            (impRow.imp, impRow.floor) = (imp, imp)
            versions.replace(impRow)
            told += ", \(name) \(row.imp) -> \(imp), floor >= \(imp)"
        }
        versions.note(api, of: base.row.module, bullets: notes)
        changes.append(.write(path: HouseRoot.versions, contents: versions.text))
        return EditPlan("Raised \(told).", changes: changes)
    }

    private func unlisted(_ versions: VersionsFile) -> EditError {
        let pairs = versions.rows.map(\.module)
        let names = pairs + versions.libraries.map(\.name)
        if let pair = pairs.first(where: { ($0 + "Api").lowercased() == name.lowercased() }) {
            return EditError(
                .usage, at: HouseRoot.versions, "\(name) has no row of its own.",
                why: "A pair has one row, with the versions of its Api and its IMP.",
                fix: "Write: bump \(pair) \(step.rawValue), with --api-only if the IMP did not change.")
        }
        if let other = names.first(where: { $0.lowercased() == name.lowercased() }) {
            return EditError(
                .usage, at: HouseRoot.versions, "\(name) has no row.",
                fix: "Write: bump \(other) \(step.rawValue)")
        }
        return EditError(
            .usage, at: HouseRoot.versions, "\(name) has no row.",
            fix: "Choose one of: \(names.joined(separator: ", ")).")
    }

    /// The row of the Api that a row's IMP implements, and the Api's version.
    private func apiRow(
        of row: VersionsFile.Row, in versions: VersionsFile
    ) throws(EditError) -> (row: VersionsFile.Row, version: SemanticVersion) {
        if let version = row.api.version { return (row, version) }
        if isApiOnly {
            throw EditError(
                .usage, "\(name) has no Api of its own.", why: "It implements \(row.api)Api.",
                fix: "Write: bump \(row.api) \(step.rawValue) --api-only --note \"...\"")
        }
        if case .of(let other) = row.api, let base = versions.row(of: other), let version = base.api.version {
            return (base, version)
        }
        throw EditError(
            .usage, at: "\(HouseRoot.versions):\(row.line)",
            "\(name) cannot implement the Api of \(row.api).",
            why: "No pair in the table has this name and an Api.",
            fix: "Write the name of such a pair in the Api column.")
    }

    private func raised(_ version: SemanticVersion, of package: String) throws(EditError) -> SemanticVersion {
        if let raised = version.raised(by: step), raised > version { return raised }
        throw EditError(
            .usage, at: HouseRoot.versions, "\(package) \(version) cannot be raised.",
            why: "This part of the version is already at its maximum.", fix: "Use a larger step.")
    }

    /// The change that writes the new `version` into `XxxModule`.
    private func moduleType(
        of row: VersionsFile.Row, raisedTo version: SemanticVersion, _ root: HouseRoot
    ) throws(EditError) -> Change {
        guard let pair = try root.pairList().pairs.first(where: { $0.name == name }) else {
            throw EditError(
                .usage, at: HouseRoot.manifest,
                "\(name) has a row in \(HouseRoot.versions), but is not in the list of pairs.",
                why: "The list of pairs tells where its sources are.",
                fix: "Remove the row, or list the pair.")
        }
        let folder = "\(pair.folder)/Sources/\(name)"
        let type = name + "Module"
        for file in root.swiftFiles(in: folder) {
            let text = try root.text(file)
            guard text.contains(type), let edit = ModuleVersionEdit(text, type: type) else { continue }
            guard edit.version == row.imp.description else {
                throw EditError(
                    .usage, at: "\(file):\(edit.line)",
                    "\(type) has version \(edit.version), but its row has \(row.imp).",
                    why: "Only one of the two can be the released version.",
                    fix: "Write the released version in both places.")
            }
            return .write(path: file, contents: edit.replaced(by: version.description))
        }
        throw EditError(
            .usage, at: folder, "\(type) has no version in a form that bump can edit.",
            why: "The app shows the version of each module.",
            fix: "Write in \(type): public let version = \"\(row.imp)\"")
    }
}
