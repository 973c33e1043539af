import Foundation
import ModuleEdits
import ModuleKit
import ModuleRules
import ModuleTree

/// One round of exact edits of manifests.
struct ManifestRepairs {
    private struct Edits {
        var removed: Set<Position> = []
        /// The new dependencies of each target.
        var added: [String: Set<ManifestSource.Element>] = [:]
        /// The new dependencies of the package, by the target that needs them.
        var packages: [String: Set<ManifestSource.Element>] = [:]
    }

    private let tree: Tree
    private var edits: [String: Edits] = [:]

    init(of findings: [Diagnostic], in context: RuleContext) {
        tree = context.tree
        for finding in findings {
            if finding.repair == .remove {
                let place = finding.place
                edits[place.path, default: Edits()].removed.insert(
                    Position(line: place.line, column: place.column))
            }
            guard case .add(let name, let owner, let target, let folder)? = finding.repair,
                let package = tree.package(in: folder), let owner = tree.package(in: owner)
            else { continue }
            add(name, of: owner, to: target, in: package)
        }
    }

    private mutating func add(
        _ name: String, of owner: LocalPackage, to target: String, in package: LocalPackage
    ) {
        var edit = edits[package.manifestPath, default: Edits()]
        if owner.path == package.path {
            // A target of the package must not depend on itself.
            let added = package.targets.first { $0.name == name }
            guard added?.withLibraries(of: package).contains(where: { $0.name == target }) != true else {
                return
            }
            edit.added[target, default: []].insert(.init(name: name))
        } else {
            let identity = tree.identity(of: owner)
            if !tree.declares(package, owner) {
                // A remote package of the same identity would clash.
                let isTaken = package.manifest.dependencies.contains { $0.identity == identity.lowercased() }
                let needed = tree.dependencies(of: owner)
                guard !isTaken, !needed.contains(where: { $0 === package }) else { return }
                let path = PathText.path(to: owner.path, from: package.path)
                edit.packages[target, default: []].insert(.init(path: path))
            }
            edit.added[target, default: []].insert(
                name == identity ? .init(name: name) : .init(product: name, package: identity))
        }
        edits[package.manifestPath] = edit
    }

    /// The new contents of the manifests that consist of literals, by path. An app's manifest, which computes its lists of
    /// pairs, gets only new dependencies.
    func applied(in root: TreeRoot, text: (String) throws -> String) throws -> [String: String] {
        var files: [String: String] = [:]
        for (path, edits) in edits where !root.isLink(path) {
            let old = try text(path)
            let folder = tree.root + "/" + path.dropLast("Package.swift".count)
            var edit = try ManifestSource(old, in: folder)
            let isOfApp = tree.names.apps.contains { $0.manifest == path }
            guard edit.literal != nil || isOfApp else { continue }
            if edit.literal != nil { edit.removeDependencies(at: edits.removed) }
            let targets = edits.added.filter { edit.add($0.value, to: $0.key) }.keys
            let packages = Set(targets.flatMap { edits.packages[$0] ?? [] })
            guard packages.isEmpty || edit.add(packages), !edit.edits.isEmpty else { continue }
            files[path] = edit.text
        }
        return files
    }
}
