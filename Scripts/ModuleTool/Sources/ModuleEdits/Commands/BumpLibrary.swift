import ModuleVersions

/// Raises the version of a package that is no half of a pair and notes what changed:
/// `modules bump ApiCenter patch --note "..."`.
struct BumpLibrary {
    let name: String
    let step: VersionStep
    let notes: [String]

    func plan(_ library: VersionsFile.Library, in versions: VersionsFile) throws(EditError) -> EditPlan {
        guard let raised = library.version.raised(by: step), raised > library.version else {
            throw EditError(
                .usage, at: HouseRoot.versions, "\(name) \(library.version) cannot rise.",
                why: "The number is the largest there is.", mend: "Raise it by a larger step.")
        }
        if let noted = versions.section(of: name)?.notes.map(\.version).max(), noted >= raised {
            throw EditError(
                .usage, at: HouseRoot.versions, "\(name) has a note for \(noted) already.",
                why: "Versions never fall, and none is given twice.",
                mend: "Write the version that was released last in the table.")
        }
        var versions = versions
        versions.replace(VersionsFile.Library(name: name, version: raised))
        versions.note(raised, of: name, bullets: notes)
        return EditPlan(
            "Raised \(name) \(library.version) -> \(raised).",
            changes: [.write(path: HouseRoot.versions, contents: versions.text)])
    }
}
