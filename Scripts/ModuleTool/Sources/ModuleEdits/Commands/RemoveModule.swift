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
            return try plan(folders: [folder], uses: [name], lists, root) { changed in
                let package = try RemotePackage.all(in: root).first { $0.folder == folder }
                let made = try package.map { try $0.files($0.api(), root.versionsFile()) } ?? [:]
                return try changed.filter {
                    try !$0.hasSuffix("/" + Changelog.name) && made[$0] != root.text($0)
                }
            }
        }
        let pair = try lists.pair(name)
        let api = pair.alternativeTo == nil ? [root.configuration.api(name)] : []
        let plan = try plan(folders: root.folders(of: pair), uses: Set([name] + api), lists, root) {
            try Self.unknownFiles(among: $0, of: pair, lists, root)
        }
        for index in lists.indices { try lists[index].remove(name) }
        return EditPlan(plan.summary, changes: try root.changes(lists) + plan.changes)
    }

    /// Plans the removal of folders and of the row in VERSIONS.md.
    ///
    /// - Parameter unknown: Returns those of the given files that contain handwritten changes.
    private func plan(
        folders: [String], uses names: Set<String>, _ lists: [PairList], _ root: HouseRoot,
        unknown: ([String]) throws -> [String]
    ) throws -> EditPlan {
        let places = try uses(of: names, lists, root)
        guard places.isEmpty else {
            throw ToolError(
                .refused, "\(name) is still used:" + places.map { "\n  \($0)" }.joined(),
                why: "These places would no longer compile.", fix: "Remove these uses first.")
        }
        let unknown = try unknown(unrestorable(in: folders, root))
        guard unknown.isEmpty else {
            throw ToolError(
                .refused, "uncommitted work would be lost:" + unknown.map { "\n  \($0)" }.joined(),
                why: "These files could not be restored.", fix: "Commit them or move them away first.")
        }
        let versions = try root.versionsFile().without(name)
        return EditPlan(
            "Removed \(name): \(folders.joined(separator: ", ")).",
            changes: [.write(path: VersionsFile.path, contents: versions.text)]
                + folders.filter(root.exists).map { .removeFolder(path: $0) })
    }

    /// The files in these folders that git could not restore, except ignored build products. Outside a git
    /// repository, these are all files; inside one, the uncommitted and the ignored files.
    private func unrestorable(in folders: [String], _ root: HouseRoot) throws -> [String] {
        let changed = try GitRepository.uncommitted(in: folders, root: root.url.path)
        let unknown =
            try changed == nil
            ? folders.flatMap { root.files(in: $0, includesHidden: true) }
            : GitRepository.ignored(in: folders, root: root.url.path)
        return (changed ?? []) + unknown.filter { !Self.isBuildProduct($0) }
    }

    private static func isBuildProduct(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return ["Package.resolved", ".DS_Store"].contains(parts.last)
            || parts.dropLast().contains {
                $0.hasPrefix(".build") || [".swiftpm", "DerivedData", "xcuserdata"].contains($0)
            }
    }

    /// The changed files of a pair, except change notes, whose contents differ from what `new-module` would generate.
    static func unknownFiles(
        among changed: [String], of pair: PairList.Pair, _ lists: [PairList], _ root: HouseRoot
    ) throws -> [String] {
        guard !changed.isEmpty else { return [] }
        let made = NewModule.files(of: pair, lists, root)
            .reduce(into: [:]) { $0[$1.path] = $1 }
        // `bump` may have replaced the first version, which `new-module` generated.
        let first = ModuleTemplates.version
        let version = try root.versionsFile().row(of: pair.name)?.imp ?? first
        return changed.filter { path in
            guard root.exists(path), !path.hasSuffix("/" + Changelog.name) else { return false }
            switch made[path] {
            case .write(_, let text)?:
                let raised = text.replacing("version = \"\(first)\"", with: "version = \"\(version)\"")
                return raised != (try? root.text(path))
            case .copy(_, let source)?:
                let (one, other) = (root.url.appending(path: path), root.url.appending(path: source))
                return !FileManager.default.contentsEqual(atPath: one.path, andPath: other.path)
            default: return true
            }
        }.sorted()
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
