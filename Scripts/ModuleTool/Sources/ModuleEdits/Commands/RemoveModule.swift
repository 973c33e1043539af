import Foundation
import ModuleTree
import ModuleVersions

/// Removes a pair, or a generated package, and its entries in the root's files: `modules remove Wallet`.
package struct RemoveModule: Edit, Sendable {
    let name: String

    package init(name: String) { self.name = name }

    package var command: String { "remove \(name)" }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        var lists = try root.pairLists()
        if let folder = RemotePackage.generated(in: root).map(\.folder).first(where: {
            $0.hasSuffix("/" + name)
        }) {
            return try plan(folders: [folder], uses: [name], lists, root)
        }
        let pair = try lists.pair(name)
        let api = pair.alternativeTo == nil ? [root.configuration.api(name)] : []
        let plan = try plan(folders: root.folders(of: pair), uses: Set([name] + api), lists, root)
        for index in lists.indices { try lists[index].remove(name) }
        return EditPlan(plan.summary, changes: try root.changes(lists) + plan.changes)
    }

    /// Plans the removal of folders and of the row in VERSIONS.md.
    private func plan(
        folders: [String], uses names: Set<String>, _ lists: [PairList], _ root: HouseRoot
    ) throws -> EditPlan {
        let places = try uses(of: names, lists, root)
        guard places.isEmpty else {
            throw Diagnostic(
                .refused, "\(name) is still used:" + places.map { "\n  \($0)" }.joined(),
                why: "These places would no longer compile.", fix: "Remove these uses first.")
        }
        let unknown = try unrestorable(in: folders, root).sorted()
        guard unknown.isEmpty else {
            throw Diagnostic(
                .refused, "uncommitted work would be lost:" + unknown.map { "\n  \($0)" }.joined(),
                why: "These files could not be restored.",
                fix: "Commit them or move them away first: git add --all && git commit")
        }
        let versions = try root.versionsFile().without(name)
        return EditPlan(
            "Removed \(name): \(folders.joined(separator: ", ")).",
            changes: [.write(path: VersionsFile.path, contents: versions.text)]
                + folders.filter(root.exists).map { .remove(path: $0) })
    }

    /// The files in these folders that git could not restore, except ignored build products. Outside a git
    /// repository, these are all files; inside one, the uncommitted and the ignored files.
    private func unrestorable(in folders: [String], _ root: HouseRoot) throws -> [String] {
        let changed = try GitRepository.uncommitted(in: folders, root: root.url.path)
        let unknown =
            try changed == nil
            ? folders.flatMap { root.files(in: $0, includesHidden: true) }
            : GitRepository.ignored(in: folders, root: root.url.path)
        return (changed ?? []).filter(root.exists) + unknown.filter { !Self.isBuildProduct($0) }
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
    private func uses(of names: Set<String>, _ lists: [PairList], _ root: HouseRoot) throws -> [String] {
        let (manifests, registrations) = (lists.map(\.app.manifest), lists.map(\.app.registrations))
        let graph = PackageGraph(try root.tree())
        let own = graph.tree.packages.indices.filter { names.contains(graph.tree.packages[$0].name) }
        var places: Set<SourcePlace> = []
        for edge in graph.edges where own.contains(edge.to) && !own.contains(edge.from) {
            // Removing the pair from the lists also removes the apps' declarations and the registrations.
            places.formUnion(edge.declarations.filter { !manifests.contains($0.path) })
            places.formUnion(edge.imports.filter { !registrations.contains($0.path) })
        }
        // A manifest may declare a package without using any of its products.
        for package in graph.tree.packages
        where !manifests.contains(package.manifestPath) && !names.contains(package.name) {
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
        return alternatives + named + places.sorted().map(\.description)
    }
}
