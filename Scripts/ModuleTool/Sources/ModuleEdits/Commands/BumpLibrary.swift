import ModuleVersions

/// Raises the version of a library and adds its change notes: `modules bump ApiCenter patch --note "..."`.
struct BumpLibrary {
    let name: String
    let step: VersionStep
    let notes: [String]

    func plan(_ library: VersionsFile.Library, in versions: VersionsFile) throws(EditError) -> EditPlan {
        guard let raised = library.version.raised(by: step), raised > library.version else {
            throw EditError(
                .usage, at: HouseRoot.versions, "\(name) \(library.version) cannot be raised.",
                why: "This part of the version is already at its maximum.", fix: "Use a larger step.")
        }
        if let noted = versions.section(of: name)?.notes.map(\.version).max(), noted >= raised {
            throw EditError(
                .usage, at: HouseRoot.versions, "\(name) already has a note for \(noted).",
                why: "A version is never lowered or used twice.",
                fix: "Write the last released version in the table.")
        }
        var versions = versions
        versions.replace(VersionsFile.Library(name: name, version: raised))
        versions.note(raised, of: name, bullets: notes)
        return EditPlan(
            "Raised \(name) \(library.version) -> \(raised).",
            changes: [.write(path: HouseRoot.versions, contents: versions.text)])
    }
}
