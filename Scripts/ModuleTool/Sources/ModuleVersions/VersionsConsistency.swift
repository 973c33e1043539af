/// The release rule within one state of the file. What may change from one state to the next is for whoever
/// compares two of them.
extension VersionsFile {
    /// What the rows and notes say that the release rule does not allow, in the order of the lines.
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

    /// What is inconsistent about one module's row: the versions in it, not the notes.
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
                    why: "Callers learn from it what a new version means for them.",
                    mend: "Write below '## \(row.module)' a heading '### \(version)' and what changed."))
        }
        return problems
    }

    private func inconsistencies(ofVersionsIn row: Row, among rows: [String: Row]) -> [VersionsProblem] {
        var problems: [VersionsProblem] = []
        func report(_ kind: VersionsProblem.Kind, _ what: String, why: String, mend: String) {
            problems.append(
                VersionsProblem(
                    kind: kind, line: row.line, module: row.module, what: what, why: why, mend: mend))
        }
        if row.floor != row.imp {
            report(
                .floorDiffers, "the floor of \(row.module) is \(row.floor), its IMP is \(row.imp).",
                why: "An Api is released with the IMP it was made for, and requires no older one.",
                mend: "Write: >= \(row.imp)")
        }
        switch row.api {
        case .own(let version) where version < row.imp:
            report(
                .apiBelowImp, "\(row.module)Api is \(version), below its IMP's \(row.imp).",
                why: "Whenever an IMP's version rises, its Api's rises with it.",
                mend: "Raise the Api's version to \(row.imp) at least, with a change note.")
        case .of(let other) where rows[other]?.api.version == nil && !unread.contains(other):
            report(
                .unknownApi, "the Api of \(row.module) is to be that of \(other), which has none of its own.",
                why: "An alternative IMP implements the Api of a pair.",
                mend: "Name a pair of this table, or write the version of \(row.module)'s own Api.")
        case .own, .of: break
        }
        return problems
    }

    /// - Parameter name: That of the package which the notes are about.
    private func inconsistencies(
        of section: Section, named name: String, current: SemanticVersion?
    ) -> [VersionsProblem] {
        var problems: [VersionsProblem] = []
        func report(_ kind: VersionsProblem.Kind, _ line: Int, _ what: String, why: String, mend: String) {
            problems.append(
                VersionsProblem(
                    kind: kind, line: line, module: section.module, what: what, why: why, mend: mend))
        }
        guard let current else {
            if unread.contains(section.module) { return [] }
            report(
                .orphanSection, section.line,
                "the section's module \(section.module) has no row with an Api of its own, and is no library.",
                why: "Change notes are those of an Api or a library.",
                mend: "Delete the section, or write the row.")
            return problems
        }
        if let newest = section.notes.first, newest.version > current {
            report(
                .noteOrder, newest.line,
                "\(name) has a note for \(newest.version), but the table says \(current).",
                why: "A note is written when the version is raised.",
                mend: "Raise the row with: Scripts/modules bump \(section.module)")
        }
        for (newer, older) in zip(section.notes, section.notes.dropFirst())
        where newer.version < older.version {
            report(
                .noteOrder, older.line,
                "\(name) \(older.version) stands below \(newer.version).",
                why: "Notes are read from the newest down, and versions never fall.",
                mend: "Move the newer note up.")
        }
        return problems
    }
}
