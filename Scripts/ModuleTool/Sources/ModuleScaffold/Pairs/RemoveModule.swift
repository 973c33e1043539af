import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree
import ModuleVersions

/// Removes a pair, a generated package or a copy, and its entries in the root's files: `modules remove Wallet`.
package struct RemoveModule: Edit, Sendable {
    let name: String
    let generated: GeneratedPackage.Finder

    /// - Parameter generated: Finds the generated packages, which the command removes too.
    package init(name: String, generated: @escaping GeneratedPackage.Finder = { _, _ in [] }) {
        (self.name, self.generated) = (name, generated)
    }

    package var command: String { "remove \(name)" }

    package func plan(_ root: TreeRoot) throws -> EditPlan {
        var lists = try root.pairLists()
        let tree = try root.tree()
        let generated = try generated(root, tree).first { $0.name == name }
        let copies = copies(in: root, tree)
        var folders = [generated?.folder].compactMap(\.self) + copies.map(\.path)
        if folders.isEmpty {
            let pair = try lists.pair(name)
            folders = [pair.folder] + (pair.alternativeTo == nil ? [tree.names.api(pair.folder)] : [])
        }
        let places = uses(of: Set(folders.map { PathText.split($0).name }), lists, tree)
        guard places.isEmpty else {
            throw Diagnostic(
                .refused, "\(name) is still used:" + places.map { "\n  \($0)" }.joined(),
                why: "These places would no longer compile.", fix: "Remove these uses first.")
        }
        let unknown = try lost(in: folders, generated, root, tree).sorted()
        guard unknown.isEmpty else {
            throw Diagnostic(
                .refused, "uncommitted work would be lost:" + unknown.map { "\n  \($0)" }.joined(),
                why: "These files could not be restored.",
                fix: "Commit them or move them away first: git add --all && git commit")
        }
        let versions = copies.reduce(try root.versionsFile().without(name)) { $0.without($1.name) }
        for index in lists.indices { try lists[index].remove(name) }
        return EditPlan(
            "Removed \(name): \(folders.joined(separator: ", ")).",
            changes: (generated == nil && copies.isEmpty ? try root.changes(lists, tree) : [])
                + root.changes(versions)
                + folders.filter(root.exists).map { .remove(path: $0) })
    }

    /// The copy with the given name, and the copies that came with it and that no other package needs; empty if it is not a
    /// copy.
    private func copies(in root: TreeRoot, _ tree: Tree) -> [LocalPackage] {
        let all = tree.copies(in: root)
        guard let copy = all[name]?.copy, let package = tree.package(name) else { return [] }
        let named = copy.command.split(separator: " ").map(String.init)
        var removed = [package]
        func isNeeded(_ other: LocalPackage) -> Bool {
            tree.packages.contains { user in
                tree.declares(user, other) && !removed.contains { $0 === user }
            }
        }
        while let next = tree.packages.first(where: { other in
            all[other.name]?.copy.command == copy.command && !named.contains(other.name)
                && !removed.contains { $0 === other } && !isNeeded(other)
        }) { removed.append(next) }
        return removed
    }

    /// The files whose removal would lose work: those that git could not restore, and that no command would write again.
    private func lost(
        in folders: [String], _ generated: GeneratedPackage?, _ root: TreeRoot, _ tree: Tree
    ) throws -> [String] {
        let files = try unrestorable(in: folders, root)
        if files.isEmpty { return [] }
        let untouched = try GeneratedFiles(of: name, generated, in: root, tree)
        return files.filter { !untouched.contains($0) }
    }

    /// The files in these folders that git could not restore, except ignored build products: the uncommitted and the
    /// ignored files or, outside a git repository, the folders.
    private func unrestorable(in folders: [String], _ root: TreeRoot) throws -> [String] {
        guard let changed = try GitRepository.uncommitted(in: folders, root: root.url.path) else {
            return folders
        }
        let ignored = try GitRepository.ignored(in: folders, root: root.url.path)
        return changed.filter(root.exists) + ignored.filter { !Self.isBuildProduct($0) }
    }

    private static func isBuildProduct(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return ["Package.resolved", ".DS_Store"].contains(parts.last)
            || parts.dropLast().contains {
                $0.hasPrefix(".build") || [".swiftpm", "DerivedData", "xcuserdata"].contains($0)
            }
    }

    /// The places where other packages use these packages: alternatives, the root manifest, then dependencies and
    /// imports.
    private func uses(of names: Set<String>, _ lists: [PairList], _ tree: Tree) -> [String] {
        // Removing the pair from the lists also removes the apps' declarations and the registrations.
        let own = Set(lists.flatMap { [$0.app.manifest, $0.app.registrations] })
        var places: Set<SourcePlace> = []
        let graph = PackageGraph(tree)
        for package in tree.packages where names.contains(package.name) {
            for edge in graph.incoming[package.index] where !names.contains(tree.packages[edge.from].name) {
                places.formUnion(edge.places)
            }
        }
        // A manifest may declare a package without using any of its products.
        for package in tree.packages where !names.contains(package.name) {
            for dependency in package.manifest.dependencies
            where dependency.path != nil && names.contains(where: { $0.lowercased() == dependency.identity })
            {
                places.insert(dependency.position.in(package.manifestPath))
            }
        }
        let named = lists.flatMap { list in
            list.lines(naming: names).map { "\(list.app.manifest):\($0)" }
        }
        let alternatives = lists.flatMap { list in
            list.pairs.filter { $0.alternativeTo == name }.map {
                "\(list.app.manifest):\($0.line): \($0.name) is an alternative to \(name)"
            }
        }
        return alternatives + named + places.filter { !own.contains($0.path) }.sorted().map(\.description)
    }
}
