/// Writes the Shell's list of modules anew from the pairs of the root manifest: `modules registrations`.
package struct MakeRegistrations: Edit, Sendable {
    /// The edit.
    package init() {}

    /// `registrations`.
    package var command: String { "registrations" }

    /// Plans the list; there is nothing to do when it is right.
    ///
    /// - Throws: ``EditError`` when the manifest's pairs cannot be read.
    package func plan(_ root: HouseRoot) throws -> EditPlan {
        let (path, text) = (RegistrationsFile.path, RegistrationsFile.text(try root.pairList().pairs))
        guard try root.text(path) != text else { return EditPlan("\(path) has the pairs of Package.swift.") }
        return EditPlan("Wrote \(path).", changes: [.write(path: path, contents: text)])
    }

    /// Compares the list with the pairs.
    ///
    /// - Throws: ``EditError`` when it is not what ``plan(_:)`` would write.
    package func check(_ root: HouseRoot) throws {
        let plan = try plan(root)
        guard !plan.changes.isEmpty else { return }
        throw EditError(
            .refused, at: RegistrationsFile.path,
            "this is not the list of the pairs in Package.swift:\n"
                + String(ChangeList.text(plan.changes, in: root, withLines: true).dropLast()),
            why: "A module that is not listed is not in the app.", mend: "Run: Scripts/registrations")
    }
}
