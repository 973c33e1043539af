import Foundation

/// Reads a tree: the packages, their manifests and the facts of their sources.
package struct TreeReader: Sendable {
    /// Whether facts are kept between runs. What a cache says is only used for a file whose content is the
    /// same, so it may be deleted, torn or stale.
    package enum Caching: Sendable {
        case none
        /// In the user's cache folder, by the tree's path.
        case user
        /// In this file.
        case file(String)
    }

    let root: String
    let caching: Caching

    package init(root: String, caching: Caching = .none) {
        self.root = PathText.clean(root)
        self.caching = caching
    }

    /// Reads the tree.
    ///
    /// - Throws: ``TreeError`` when the root or a manifest cannot be read.
    package func read() throws -> Tree {
        let listing = try FileListing(root: root)
        guard !listing.packages.isEmpty else {
            throw TreeError(
                .configuration, root, what: "holds no Swift package",
                why: "the tool reads Package.swift files below the root",
                mend: "give the folder of a Swift package, or one above several, with --root")
        }
        let cache = FactCache(caching, root: root)
        let manifests = try self.manifests(listing.packages, cache)
        let sources = Sources(listing.swiftFiles)
        let folders = Set(listing.packages)
        let packages = zip(listing.packages, manifests).map { path, manifest in
            LocalPackage(
                path: path, manifest: manifest, layer: Placement.layer(path),
                role: Placement.role(path, among: folders, manifest: manifest),
                targets: manifest.targets.map { target in
                    let folder = sources.folder(of: target, in: path, of: manifest)
                    return LocalTarget(
                        target, folder: folder, files: sources.files(of: target, folder: folder))
                })
        }
        var wanted: [SourceScanner.Scope?] = Array(repeating: nil, count: listing.swiftFiles.count)
        for package in packages {
            for target in package.targets {
                let scope = scope(of: target, role: package.role)
                // A file of two targets is read for both.
                for file in target.files { wanted[file] = wanted[file]?.joined(scope) ?? scope }
            }
        }
        let files = concurrentMap(Array(zip(listing.swiftFiles, wanted))) { path, scope in
            guard let scope, let bytes = FileBytes.read(root + "/" + path) else {
                return SourceFile(path: path, facts: SourceFacts())
            }
            return SourceFile(path: path, facts: cache.facts(of: path, bytes, scope: scope))
        }
        cache.save()
        return Tree(root: root, packages: packages, files: files, otherFiles: listing.otherFiles)
    }

    private func scope(of target: LocalTarget, role: PackageRole) -> SourceScanner.Scope {
        if target.kind == .test { return .imports }
        return switch role {
        case .other: .imports
        case .api: .api
        case .imp: .all
        case .app, .facade, .plain: .names
        }
    }

    private func manifests(_ folders: [String], _ cache: FactCache) throws -> [Manifest] {
        // One a step: SwiftPM may have to be asked, which takes a second.
        let read = concurrentMap(folders, step: 1) { folder in
            Result { () throws -> Manifest in
                let path = folder.isEmpty ? "Package.swift" : folder + "/Package.swift"
                let absolute = root + "/" + folder
                guard let bytes = FileBytes.read(root + "/" + path) else {
                    throw TreeError(
                        .environment, path, what: "cannot be read",
                        why: "a package that is skipped would hide its mistakes",
                        mend: "ls -l \(root)/\(path)")
                }
                return try cache.manifest(of: path, bytes) {
                    try HouseManifest.read(bytes) ?? DumpedManifest.read(absolute, source: bytes)
                }
            }
        }
        return try read.map { try $0.get() }
    }
}
