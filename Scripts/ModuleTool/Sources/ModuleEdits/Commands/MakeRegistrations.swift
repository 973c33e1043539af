/// Generates the Shell's list of modules from the pairs in the root manifest, and its list of routes from the
/// pairs' Apis: `modules registrations`.
package struct MakeRegistrations: Edit, Sendable {
    /// The path of the list.
    package static let path = RegistrationsFile.path

    /// Creates the edit.
    package init() {}

    /// The command, for messages.
    package var command: String { "registrations" }

    /// Plans to write the list; plans no change when the list is up to date.
    ///
    /// - Throws: ``EditError`` when the list or the manifest's pairs cannot be read.
    package func plan(_ root: HouseRoot) throws -> EditPlan {
        let (path, pairs) = (RegistrationsFile.path, try root.pairList().pairs)
        let text = RegistrationsFile.text(pairs, routes: try root.routes(of: pairs))
        guard try root.text(path) != text else { return EditPlan("\(path) is up to date.") }
        return EditPlan("Wrote \(path).", changes: [.write(path: path, contents: text)])
    }

    /// Checks that the list is up to date.
    ///
    /// - Throws: ``EditError`` with the lines that ``plan(_:)`` would change.
    package func check(_ root: HouseRoot) throws {
        let plan = try plan(root)
        guard !plan.changes.isEmpty else { return }
        throw EditError(
            .refused, at: RegistrationsFile.path,
            "this list differs from the pairs in Package.swift or from the routes of their Apis:\n"
                + String(ChangeList.text(plan.changes, in: root, withLines: true).dropLast()),
            why: "The app only contains listed modules.", fix: "Run: Scripts/registrations")
    }
}
