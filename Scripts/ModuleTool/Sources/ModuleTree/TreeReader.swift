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
        let manifests = try self.manifests(listing, cache)
        let sources = Sources(listing.swiftFiles)
        let folders = Set(manifests.map(\.folder))
        let packages = manifests.enumerated().map { index, found in
            let (path, manifest) = found
            return LocalPackage(
                index: index, path: path, manifest: manifest, layer: Placement.layer(path),
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
        let read = concurrentMap(Array(zip(listing.swiftFiles, wanted))) { path, scope -> SourceFile? in
            guard let scope else { return SourceFile(path: path, facts: SourceFacts()) }
            guard let bytes = FileBytes.read(root + "/" + path) else { return nil }
            return SourceFile(path: path, facts: cache.facts(of: path, bytes, scope: scope))
        }
        let files = try zip(listing.swiftFiles, read).map { path, file in
            if let file { return file }
            // One that disappeared, and a link to nowhere, SwiftPM passes over too.
            guard FileManager.default.fileExists(atPath: root + "/" + path) else {
                return SourceFile(path: path, facts: SourceFacts())
            }
            throw TreeError.unreadable(path, root: root)
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

    /// The packages of the tree, sorted by folder, with their manifests.
    ///
    /// What lies in the `Tests` of another package is what its tests work on, and may well be broken. It is
    /// a package of the tree only when a manifest leads there.
    private func manifests(
        _ listing: FileListing, _ cache: FactCache
    ) throws -> [(folder: String, manifest: Manifest)] {
        var fixtures = Fixtures.among(listing.packages)
        var found: [(folder: String, manifest: Manifest)] = []
        var waiting = listing.packages.filter { !fixtures.contains($0) }
        while !waiting.isEmpty {
            // One a step: SwiftPM may have to be asked, which takes a second.
            let read = concurrentMap(waiting, step: 1) { folder in
                Result { try manifest(in: folder, listing, cache) }
            }
            let new = try zip(waiting, read).map { (folder: $0, manifest: try $1.get()) }
            found += new
            waiting = fixtures.isEmpty ? [] : fixtures.intersection(new.flatMap(neighbours)).sorted()
            fixtures.subtract(waiting)
        }
        return found.sorted { $0.folder < $1.folder }
    }

    /// The folders of the tree that a manifest leads to.
    private func neighbours(folder: String, manifest: Manifest) -> [String] {
        manifest.dependencies.compactMap(\.path).compactMap { path in
            PathText.relative(path, from: folder, in: root)
        }
    }

    private func manifest(
        in folder: String, _ listing: FileListing, _ cache: FactCache
    ) throws -> Manifest {
        let path = folder.isEmpty ? "Package.swift" : folder + "/Package.swift"
        guard let bytes = FileBytes.read(root + "/" + path) else {
            throw TreeError.unreadable(path, root: root)
        }
        // Which of several is meant depends on the toolchain, so it is for SwiftPM to say.
        let others = listing.versionedManifests[folder, default: []].sorted()
        let all = others.reduce(bytes) { $0 + (FileBytes.read(root + "/" + $1) ?? []) }
        return try cache.manifest(of: path, all + DumpedManifest.surroundings(of: all)) {
            if others.isEmpty, let manifest = HouseManifest.read(bytes) { return manifest }
            return try DumpedManifest.read(root + "/" + folder, source: bytes)
        }
    }
}

/// Packages that tests work on.
private enum Fixtures {
    /// Those of some packages that lie in the `Tests` folder of another.
    static func among(_ packages: [String]) -> Set<String> {
        let all = Set(packages)
        return all.filter { path in
            let parts = path.utf8.split(separator: UInt8(ascii: "/"))
            return parts.dropLast().contains { part in
                part.elementsEqual("Tests".utf8)
                    && all.contains(String(path[..<part.startIndex].dropLast()))
            }
        }
    }
}
