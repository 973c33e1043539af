import Foundation
import ModuleTree
import ModuleVersions

/// Removes a pair and its entries in the root's files: `modules remove Wallet`.
package struct RemoveModule: Edit, Sendable {
    let name: String

    package init(name: String) { self.name = name }

    package var command: String { "remove \(name)" }

    package func plan(_ root: HouseRoot) throws -> EditPlan {
        var list = try root.pairList()
        guard let pair = list.pairs.first(where: { $0.name == name }) else {
            throw ToolError(
                .configuration, at: HouseRoot.manifest, "there is no pair \(name).",
                fix: Spelling.choice(for: name, among: list.pairs.map(\.name)))
        }
        guard list.pairs.count > 1 else {
            throw ToolError(
                .refused, at: "\(HouseRoot.manifest):\(pair.line)", "\(name) is the last pair.",
                why: "The Shell needs at least one module.", fix: "Add another pair first: new-module NAME")
        }
        let places = try uses(of: pair, list, root)
        guard places.isEmpty else {
            throw ToolError(
                .refused, "\(name) is still used:" + places.map { "\n  \($0)" }.joined(),
                why: "These places would no longer compile.", fix: "Remove these uses first.")
        }
        let folders = [pair.folder] + (pair.alternativeTo == nil ? [pair.apiFolder] : [])
        let unknown = try unknownFiles(of: pair, in: folders, list, root)
        guard unknown.isEmpty else {
            throw ToolError(
                .refused, "uncommitted work would be lost:" + unknown.map { "\n  \($0)" }.joined(),
                why: "These files could not be restored.", fix: "Commit them or move them away first.")
        }
        let versions = try root.versionsFile().without(name)
        try list.remove(path: pair.path)
        let changes: [Change] =
            [
                .write(path: HouseRoot.manifest, contents: list.text),
                .write(path: HouseRoot.versions, contents: versions.text),
                try RegistrationsFile.change(list.pairs, root),
            ] + folders.filter(root.exists).map { .removeFolder(path: $0) }
        return EditPlan("Removed \(name): \(folders.joined(separator: ", ")).", changes: changes)
    }

    /// The files in these folders with uncommitted contents, except files that `new-module` would generate
    /// with the same contents, and except change notes; empty outside a git repository.
    private func unknownFiles(
        of pair: PairList.Pair, in folders: [String], _ list: PairList, _ root: HouseRoot
    ) throws -> [String] {
        let changed = try GitRepository.uncommitted(in: folders, root: root.url.path) ?? []
        guard !changed.isEmpty else { return [] }
        let made = NewModule.files(of: pair, list, root)
        // `bump` may have replaced the first version, which `new-module` generated.
        let first = ModuleTemplates.version
        let version = try root.versionsFile().row(of: pair.name)?.imp ?? first
        return changed.filter { path in
            guard root.exists(path), !path.hasSuffix("/" + Changelog.name) else { return false }
            let raised = made[path]?.replacing("version = \"\(first)\"", with: "version = \"\(version)\"")
            return raised == nil || raised != (try? root.text(path))
        }.sorted()
    }

    /// The places where other packages use the pair: alternatives, the root manifest, then dependencies and
    /// imports.
    private func uses(of pair: PairList.Pair, _ list: PairList, _ root: HouseRoot) throws -> [String] {
        let names: Set<String> = pair.alternativeTo == nil ? [name, name + "Api"] : [name]
        let graph = PackageGraph(try root.tree())
        let own = graph.tree.packages.indices.filter { names.contains(graph.tree.packages[$0].name) }
        var places: Set<SourcePlace> = []
        for edge in graph.edges where own.contains(edge.to) && !own.contains(edge.from) {
            // Removing the pair from the list also removes the root's declarations and the registrations.
            places.formUnion(edge.declarations.filter { $0.path != HouseRoot.manifest })
            places.formUnion(edge.imports.filter { $0.path != RegistrationsFile.path })
        }
        // A manifest may declare a package without using any of its products.
        for package in graph.tree.packages where !package.path.isEmpty && !names.contains(package.name) {
            for dependency in package.manifest.dependencies
            where dependency.path != nil && names.contains(where: { $0.lowercased() == dependency.identity })
            {
                places.insert(dependency.position.in(package.manifestPath))
            }
        }
        let manifest = list.lines(naming: names).map { "\(HouseRoot.manifest):\($0)" }
        let alternatives = list.pairs.filter { $0.alternativeTo == name }.map {
            "\(HouseRoot.manifest):\($0.line): \($0.name) is an alternative to \(name)"
        }
        return alternatives + manifest + places.sorted().map(\.description)
    }
}
