import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions

/// Brings the copies of packages to the state of the tool's repository: `modules update`.
package struct UpdateCopies: Edit {
    let names: [String]
    let origin: HousePackages

    /// - Parameter names: The packages; empty for all copies.
    package init(_ names: [String], from origin: HousePackages) {
        (self.names, self.origin) = (names, origin)
    }

    package var command: String { (["update"] + names).joined(separator: " ") }

    package func plan(_ root: TreeRoot) throws -> EditPlan {
        let (tree, offered) = (try root.tree(), try origin.names())
        let all = tree.copies(in: root)
        for name in names where all[name] == nil {
            throw Diagnostic(
                .configuration, "\(name) is not a copy.",
                why: "A copy lists its files in \(PackageCopy.path), which add and init write.",
                fix: Spelling.choice(for: name, among: all.keys.sorted()))
        }
        let chosen = all.filter { names.isEmpty || names.contains($0.key) }
        let copies = chosen.filter { offered.contains($0.key) }
        let gone = chosen.keys.filter { !offered.contains($0) }.sorted()
        let changed = copies.sorted { $0.key < $1.key }.flatMap { _, found in
            found.copy.localChanges(in: found.folder, of: root).map { "\(found.folder)/\($0)" }
        }
        guard changed.isEmpty else {
            throw Diagnostic(
                .refused, "copies were changed in this tree:" + changed.map { "\n  \($0)" }.joined(),
                why: "An update would overwrite these changes.",
                fix: "Undo the changes, or name the copies to update: Scripts/modules update NAME")
        }
        let packages = try origin.packages(
            copies.keys.sorted(), for: { all[$0]?.copy.command ?? command },
            at: { source in
                let place = root.place(of: source, tree)
                return (place.folder, place.exists && copies[PathText.split(source).name] == nil)
            })
        let copied = Set(
            copies.values.flatMap { found in found.copy.digests.keys.map { "\(found.folder)/\($0)" } }
                + copies.values.map { "\($0.folder)/\(PackageCopy.path)" })
        let others = packages.files.filter { path, text in
            !copied.contains(path) && root.exists(path) && root.textIfAny(path) != text
        }
        if let other = others.keys.min() {
            throw Diagnostic(
                .refused, at: other, "the copies need a new file here, where there is one already.",
                why: "An update replaces only files that it has copied.",
                fix: "Move the file away, and run the command again.")
        }
        try root.refuseIgnored(packages.files.keys)
        var changes = Change.writing(packages.files.filter { root.textIfAny($0.key) != $0.value })
        for (_, found) in copies.sorted(by: { $0.key < $1.key }) {
            let old = found.copy.digests.keys.map { "\(found.folder)/\($0)" }
            changes += old.filter { packages.files[$0] == nil }.sorted().map { .remove(path: $0) }
        }
        let script = root.spelled(HousePackages.script)
        if let launcher = try root.textIfAny(script).flatMap(origin.updated) {
            changes.append(.write(path: script, contents: launcher))
        }
        var versions = try root.versionsFile()
        let table = versions
        for (name, version) in packages.versions where versions.library(name) != nil {
            versions = versions.with(.init(name: name, version: version))
        }
        if versions != table { changes += root.changes(versions) }
        guard !changes.isEmpty else { return EditPlan("The copies are up to date.") }
        return EditPlan(
            "Updated \(copies.keys.sorted().joined(separator: ", ")).", changes: changes,
            next: gone.map {
                "\($0) is no longer a package of the tool's repository: keep it as your own, and delete \(PackageCopy.path)."
            } + ["Check the tree: Scripts/modules check"])
    }
}

extension Tree {
    /// The copies of packages, by name, each with its folder.
    func copies(in root: TreeRoot) -> [String: (copy: PackageCopy, folder: String)] {
        packages.reduce(into: [:]) { copies, package in
            if let copy = PackageCopy(in: package.path, of: root) {
                copies[package.name] = (copy, package.path)
            }
        }
    }
}
