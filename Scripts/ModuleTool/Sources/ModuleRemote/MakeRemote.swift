import ModuleEdits
import ModuleKit
import ModuleVersions

/// Generates the package that calls and serves a pair in another process: `modules remote Gate`.
package struct MakeRemote: Edit, Sendable {
    let name: String

    package init(name: String) { self.name = name }

    package var command: String { "remote \(name)" }

    package func plan(_ root: TreeRoot) throws -> EditPlan {
        let (pair, tree) = (try root.pairLists().pair(name), try root.tree())
        try tree.validateApiImports()
        let package = try RemotePackage(of: pair, in: root, tree)
        let interface = try package.interface()
        guard interface.obstacles.isEmpty else {
            throw Diagnostic(
                .refused,
                "\(root.configuration.api(name)) cannot be called in another process:"
                    + interface.obstacles.map { "\n  \($0.place): \($0.what)\n    fix: \($0.fix)" }.joined(),
                why: "A call to another process is sent as data, and may fail on the way.",
                fix: "Change the Api at these places, or keep the pair in the app's process.")
        }
        let versions = try root.versionsFile()
        guard versions.row(of: name)?.api.version != nil else {
            throw Diagnostic(
                .configuration, at: VersionsFile.path, "\(name) has no row.",
                why: "Both sides of a call compare their versions.", fix: "Add a row for \(name).")
        }
        let isNew = !RemotePackage.generated(in: tree).contains { $0.package.path == package.folder }
        if isNew {
            try ModuleName.validateIsFree(package.remote, for: [package.folder], in: root, tree)
        }
        var files = try isNew ? package.files(interface, versions) : package.stale(interface, versions)
        if versions.library(package.remote) == nil {
            let added = versions.with(.init(name: package.remote, version: ModuleTemplates.version))
            if added != versions, root.configuration.versions == .table {
                files[VersionsFile.path] = added.text
            }
        }
        guard !files.isEmpty else { return EditPlan("\(package.remote) is up to date.") }
        try root.refuseIgnored(files.keys)
        return EditPlan(
            isNew
                ? "Added \(package.remote): \(package.folder)"
                    + (root.configuration.versions == .table ? ", \(ModuleTemplates.version)." : ".")
                : "Wrote \(files.keys.sorted().joined(separator: ", ")).",
            changes: Change.writing(files),
            next: ["Run its tests: swift test --package-path \(package.folder)"])
    }
}
