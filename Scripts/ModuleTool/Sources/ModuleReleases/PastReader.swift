import Foundation
import ModuleFacts
import ModuleKit
import ModuleRules
import ModuleTree
import ModuleVersions

/// Reads packages as they were at past commits, in the folders that they had then.
struct PastReader {
    let releases: Releases
    let tree: Tree
    /// The paths of the files at a commit, relative to the root that the tree had then.
    private var listings: [String: Set<String>] = [:]

    init(releases: Releases, tree: Tree) { (self.releases, self.tree) = (releases, tree) }

    /// A package at a past commit, beside its present files.
    struct State: Sendable {
        let old: PackageFiles
        let new: PackageFiles
        let terms: ManifestTerms
        let manifest: Data
        /// The contents of the old files, by name.
        let files: [String: Data]
        /// The names of the files that may have changed.
        let touched: Set<String>
    }

    private func isMoved(_ base: Releases.Base) -> Bool { base.folder != releases.git.prefix }

    private func blob(_ path: String, at base: Releases.Base) -> String {
        "\(base.commit):\(base.folder)\(path)"
    }

    /// Whether a file in a package's folder differs from a past commit. A change that was reverted without a commit
    /// counts too.
    func isTouched(_ package: LocalPackage, since base: Releases.Base) throws -> Bool {
        if isMoved(base) { return true }
        let folders = [package.path] + tree.links(in: package).map(\.target)
        return try releases.changes.value[base.commit, default: []].contains { change in
            package.path.isEmpty || folders.contains(where: change.path.isInside)
        }
    }

    private mutating func files(at base: Releases.Base) throws -> Set<String> {
        if let known = listings[base.commit] { return known }
        var files: Set<String>
        if isMoved(base) {
            files = try releases.git.files(in: base.folder, at: base.commit)
        } else {
            files = try releases.files.value
            for change in try releases.changes.value[base.commit, default: []] {
                if change.old == nil { files.remove(change.path) } else { files.insert(change.path) }
            }
        }
        listings[base.commit] = files
        return files
    }

    /// The folder that a package had at a commit; nil if the tree had no such package.
    mutating func folder(of package: LocalPackage, at base: Releases.Base) throws -> String? {
        PackageFiles.folder(of: package.name, usually: package.path, in: try files(at: base))
    }

    /// The states of packages at past commits; nil for a package that the tree did not contain.
    mutating func states(_ items: [(package: LocalPackage, base: Releases.Base)]) throws -> [State?] {
        let folders = try items.map { try folder(of: $0.package, at: $0.base) }
        // Two git processes read the old contents for all packages: first the manifests, then the sources.
        let manifests = try releases.git.contents(
            zip(items, folders).map { blob(PathText.join($1 ?? "", "Package.swift"), at: $0.base) })
        var layouts: [(old: PackageFiles, terms: ManifestTerms, manifest: Data, changed: Set<String>)?] = []
        for (index, (package, base)) in items.enumerated() {
            guard let folder = folders[index], let data = manifests[index] else {
                layouts.append(nil)
                continue
            }
            let source = try ManifestSource(Array(data), in: tree.root + "/" + package.path)
            let manifest = source.past(data, of: package, tree.cache)
            let changed =
                isMoved(base)
                ? nil : Set(try releases.changes.value[base.commit, default: []].map(\.path))
            // A changed link counts as another file.
            let links = tree.links(in: package).filter { changed?.contains($0.link) != true }.map {
                (PathText.join(folder, PathText.path(to: $0.link, from: package.path)), $0.target)
            }
            let old = PackageFiles(manifest, in: folder, of: try files(at: base), links: links)
            let terms = ManifestTerms(source, manifest, in: package.manifestPath)
            layouts.append((old, terms, data, changed ?? Set(old.paths.values)))
        }
        let blobs = zip(items, layouts).flatMap { item, layout in
            (layout?.old.paths.values.filter { layout?.changed.contains($0) == true } ?? []).map {
                blob($0, at: item.base)
            }
        }
        let contents = Dictionary(zip(blobs, try releases.git.contents(blobs))) { first, _ in first }
        return try zip(items, layouts).map { item, layout in
            guard let (old, terms, manifest, changed) = layout else { return nil }
            let files = old.paths.compactMapValues { path in
                changed.contains(path) ? contents[blob(path, at: item.base)] ?? nil : tree.contents(of: path)
            }
            let new = PackageFiles(
                item.package.manifest, in: item.package.path, of: try releases.files.value,
                links: tree.links(in: item.package))
            let touched = Set(old.paths.keys).union(new.paths.keys).filter { name in
                old.paths[name] != new.paths[name] || old.paths[name].map(changed.contains) == true
                    || old.compiled.contains(name) != new.compiled.contains(name)
            }
            return State(
                old: old, new: new, terms: terms, manifest: manifest, files: files, touched: touched)
        }
    }
}

extension PastReader.State {
    /// What callers saw of the changes since an older state, and the breaks that comments in this state accept.
    func changes(
        since older: Self, of package: LocalPackage
    ) throws -> (changes: ApiSurface.Changes, accepted: Set<String>) {
        var texts = Dictionary(old.paths.map { ($1, files[$0]) }) { first, _ in first }
        texts[package.manifestPath] = manifest
        let changes = try older.surfaceChanges(of: package, to: old, files, terms)
        let accepted = try changes.breaks.filter { change in
            let place = change.place ?? package.place
            let comments = try Allowance.all(
                in: Array((texts[place.path] ?? nil) ?? Data()), of: place.path)
            return comments.contains { $0.rule == Rule.versionStep.id && $0.covers(place, in: place.path) }
        }
        return (changes, Set(accepted.map(\.what)))
    }

    /// What callers see of the difference to these files of a later state, by name.
    func surfaceChanges(
        of package: LocalPackage, to new: PackageFiles, _ files: [String: Data], _ terms: ManifestTerms
    ) throws -> ApiSurface.Changes {
        try .init(of: package, from: (old, self.files, self.terms), to: (new, files, terms))
    }
}
