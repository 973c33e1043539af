import ModuleTree

/// Generates the Shell's list of modules from the pairs in the root manifest, and its list of routes from the
/// pairs' Apis: `modules registrations`.
package struct MakeRegistrations: Edit, Sendable {
    package static let path = RegistrationsFile.path

    package init() {}

    package var command: String { "registrations" }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        let (path, pairs) = (RegistrationsFile.path, try root.pairList().pairs)
        let text = RegistrationsFile.text(pairs, routes: try root.routes(of: pairs))
        guard try root.text(path) != text else { return EditPlan("\(path) is up to date.") }
        return EditPlan("Wrote \(path).", changes: [.write(path: path, contents: text)])
    }

    package func check(_ root: HouseRoot) throws {
        let plan = try plan(root)
        guard !plan.changes.isEmpty else { return }
        throw ToolError(
            .refused, at: RegistrationsFile.path,
            "this list differs from the pairs in Package.swift or from the routes of their Apis:\n"
                + String(ChangeList.text(plan.changes, in: root, withLines: true).dropLast()),
            why: "The app only contains listed modules.", fix: "Run: Scripts/registrations")
    }
}
