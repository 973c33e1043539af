import ModuleEdits

/// Generates each app's list of modules from the pairs in its manifest, and its list of routes from the pairs' Apis:
/// `modules registrations`.
package struct MakeRegistrations: Edit, Sendable {
    package init() {}

    package var command: String { "registrations" }

    package func plan(_ root: TreeRoot) throws -> EditPlan {
        let lists = try root.pairLists()
        let changes = try root.changes(lists, try root.tree()).filter { change in
            guard case .write(let path, let text) = change else { return false }
            return root.textIfAny(path) != text
        }
        guard !changes.isEmpty else {
            return EditPlan("\(lists.map(\.app.registrations).joined(separator: ", ")) is up to date.")
        }
        return EditPlan("Wrote \(changes.map(\.path).joined(separator: ", ")).", changes: changes)
    }

    /// The registrations that are out of date, each with its new contents and the lines that differ.
    package func stale(in root: TreeRoot) throws -> [(path: String, contents: String, lines: String)] {
        try plan(root).changes.compactMap { change in
            guard case .write(let path, let contents) = change else { return nil }
            return (path, contents, String(ChangeList.text([change], in: root, withLines: true).dropLast()))
        }
    }
}
