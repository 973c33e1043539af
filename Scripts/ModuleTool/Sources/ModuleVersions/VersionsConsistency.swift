/// Checks one revision of the file against the release rule. ModuleRules compares the revisions of different
/// commits.
extension VersionsFile {
    /// The rows and notes that break the release rule, in line order.
    ///
    /// - Complexity: Linear in the rows and notes.
    package var inconsistencies: [VersionsProblem] {
        let byModule = Dictionary(rows.map { ($0.module, $0) }, uniquingKeysWith: { first, _ in first })
        let listed = Dictionary(libraries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let noted = Dictionary(sections.map { ($0.module, $0) }, uniquingKeysWith: { first, _ in first })
        let problems =
            rows.flatMap { inconsistencies(of: $0, among: byModule, section: noted[$0.module]) }
            + libraries.flatMap { inconsistencies(of: $0, among: byModule, section: noted[$0.name]) }
            + sections.flatMap { section in
                listed[section.module].map {
                    inconsistencies(of: section, named: $0.name, current: $0.version)
                }
                    ?? inconsistencies(
                        of: section, named: section.module + "Api",
                        current: byModule[section.module]?.api.version)
            }
        return problems.sorted { $0.line < $1.line }
    }

    /// The problems with the versions in one module's row. Change notes are not checked.
    package func inconsistencies(ofRow module: String) -> [VersionsProblem] {
        guard let row = row(of: module) else { return [] }
        let byModule = Dictionary(rows.map { ($0.module, $0) }, uniquingKeysWith: { first, _ in first })
        return inconsistencies(ofVersionsIn: row, among: byModule)
    }

    private func inconsistencies(
        of row: Row, among rows: [String: Row], section: Section?
    ) -> [VersionsProblem] {
        var problems = inconsistencies(ofVersionsIn: row, among: rows)
        if case .own(let version) = row.api,
            section?.notes.contains(where: { $0.version == version && !$0.text.isEmpty }) != true
        {
            problems.append(
                VersionsProblem(
                    kind: .missingNote, line: row.line, module: row.module,
                    what: "\(row.module)Api \(version) has no change note.",
                    why: "Callers read the note to learn what a new version means for them.",
                    fix: "Below '## \(row.module)', add a heading '### \(version)' and the changes."))
        }
        return problems
    }

    private func inconsistencies(ofVersionsIn row: Row, among rows: [String: Row]) -> [VersionsProblem] {
        var problems: [VersionsProblem] = []
        func report(_ kind: VersionsProblem.Kind, _ what: String, why: String, fix: String) {
            problems.append(
                VersionsProblem(
                    kind: kind, line: row.line, module: row.module, what: what, why: why, fix: fix))
        }
        if row.floor != row.imp {
            report(
                .floorDiffers, "the floor of \(row.module) is \(row.floor), but its IMP is \(row.imp).",
                why: "An Api requires the IMP version that it is released with, or a later one.",
                fix: "Write: >= \(row.imp)")
        }
        switch row.api {
        case .own(let version) where version < row.imp:
            report(
                .apiBelowImp, "\(row.module)Api is \(version), below its IMP's \(row.imp).",
                why: "Whenever an IMP's version rises, its Api's version rises too.",
                fix: "Raise the Api's version to at least \(row.imp), and add a change note.")
        case .of(let other) where rows[other]?.api.version == nil && !unread.contains(other):
            report(
                .unknownApi, "the Api cell of \(row.module) names \(other), which has no Api of its own.",
                why: "An alternative IMP implements the Api of an existing pair.",
                fix: "Write the name of a pair in this table, or the version of \(row.module)'s own Api.")
        case .own, .of: break
        }
        return problems
    }

    /// - Parameter name: The name of the package that the notes describe.
    private func inconsistencies(
        of section: Section, named name: String, current: SemanticVersion?
    ) -> [VersionsProblem] {
        var problems: [VersionsProblem] = []
        func report(_ kind: VersionsProblem.Kind, _ line: Int, _ what: String, why: String, fix: String) {
            problems.append(
                VersionsProblem(
                    kind: kind, line: line, module: section.module, what: what, why: why, fix: fix))
        }
        guard let current else {
            if unread.contains(section.module) { return [] }
            report(
                .orphanSection, section.line,
                "\(section.module) has a section, but is neither a library nor a pair with its own Api.",
                why: "Change notes describe an Api or a library.",
                fix: "Delete the section, or add a row.")
            return problems
        }
        if let newest = section.notes.first, newest.version > current {
            report(
                .noteOrder, newest.line,
                "\(name) has a note for \(newest.version), but the table says \(current).",
                why: "A version's note and its row are written together.",
                fix: "Raise the row with: Scripts/modules bump \(section.module)")
        }
        for (newer, older) in zip(section.notes, section.notes.dropFirst())
        where newer.version < older.version {
            report(
                .noteOrder, older.line,
                "the note for \(name) \(older.version) is below the note for \(newer.version).",
                why: "Notes are listed newest first.",
                fix: "Move the note for the higher version up.")
        }
        return problems
    }
}
