import Foundation
import ModuleFacts
import ModuleKit

/// Reads a tree: the packages, their manifests and the facts of their sources.
package struct TreeReader: Sendable {
    /// Whether facts are cached between runs. An entry is used only while the content of its file is
    /// unchanged, so the cache may be deleted, damaged or stale at any time.
    package enum Caching: Sendable {
        case none
        /// In the user's cache folder, in a file named after the path of the tree.
        case user
        /// In the file at this path, and in the folder `manifests` beside it.
        case file(String)
    }

    let root: String
    let caching: Caching
    /// The contents of files that an edit is about to change, by path.
    let edited: [String: String]

    package init(root: String, caching: Caching = .none, edited: [String: String] = [:]) {
        self.root = PathText.clean(root)
        (self.caching, self.edited) = (caching, edited)
    }

    /// Reads the tree.
    ///
    /// - Parameter isLenient: Whether a manifest that cannot be read is added to ``Tree/unread`` instead of causing
    ///   an error.
    package func read(isLenient: Bool = false) throws -> Tree {
        let configuration = try Configuration(root: root)
        let listing = try FileListing(root: root, exclude: configuration?.exclude ?? [])
        guard !listing.packages.isEmpty || !listing.projects.isEmpty else {
            throw Diagnostic(
                .configuration, at: root, "contains no Swift package and no Xcode project",
                why: "The tool reads the Package.swift files below the root.",
                fix: "With --root, pass the folder of a Swift package or a folder that contains packages.")
        }
        let cache = FactCache(caching, root: root)
        let (manifests, unread) = try self.manifests(
            listing, cache, configuration ?? Configuration(), isLenient: isLenient)
        let sources = TargetFiles(listing.swiftFiles, folders: listing.folders)
        let folders = Set(manifests.map(\.folder))
        let layouts = manifests.map { path, _, manifest in
            let targets =
                manifest.targets.map { target in
                    let folder = sources.folder(of: target, in: path, of: manifest)
                    return (target, folder: folder, files: sources.files(of: target, folder: folder))
                }
                + (configuration?.apps ?? []).filter { $0.folder == path }.compactMap(\.sources).map {
                    folder in
                    let inner = folders.filter { $0 != folder && $0.isInside(folder) }
                    let target = manifest.app(
                        in: folder, exclude: inner.map { PathText.path(to: $0, from: folder) })
                    return (target, folder: folder, files: sources.files(of: target, folder: folder))
                }
            return (role: configuration?.role(of: path, manifest, among: folders) ?? .other, targets: targets)
        }
        var wanted: [(scope: SourceScanner.Scope, module: String)?] = Array(
            repeating: nil, count: listing.swiftFiles.count)
        for layout in layouts {
            for (target, _, files) in layout.targets {
                let (scope, module) = (scope(of: target, role: layout.role), ModuleIdentifier.of(target.name))
                // A file that belongs to several targets is read once, with the largest scope.
                for file in files {
                    wanted[file] = wanted[file].map { ($0.scope.joined(scope), $0.module) } ?? (scope, module)
                }
            }
        }
        let suffix = (configuration ?? Configuration()).moduleSuffix
        let read = try concurrentMap(Array(zip(listing.swiftFiles, wanted))) { path, wanted -> SourceFile in
            guard let (scope, module) = wanted else { return SourceFile(path: path, facts: SourceFacts()) }
            guard let bytes = contents(of: path) else {
                // SwiftPM also ignores files that have disappeared, and dangling links.
                guard FileManager.default.fileExists(atPath: root + "/" + path) else {
                    return SourceFile(path: path, facts: SourceFacts())
                }
                throw Diagnostic.unreadable(path, root: root)
            }
            let facts = try cache.facts(of: path, bytes, scope: scope, names: "\(module) \(suffix)") {
                try SourceScanner.facts(
                    of: bytes, in: path, scope: scope, module: module, moduleSuffix: suffix)
            }
            return SourceFile(path: path, facts: facts)
        }
        cache.save()
        let name = self.name(manifests.first { $0.folder.isEmpty }?.manifest)
        let local = zip(manifests, layouts).enumerated().map { index, found in
            let ((path, _, manifest), layout) = found
            return LocalPackage(
                index: index, path: path, name: path.isEmpty ? name : PathText.split(path).name,
                manifest: manifest, layer: configuration?.layer(of: path), role: layout.role,
                configuration: configuration,
                targets: layout.targets.map { target, folder, files in
                    LocalTarget(target, folder: folder, files: files.map { read[$0] })
                })
        }
        return Tree(
            root: root, name: name, configuration: configuration, packages: local,
            manifests: manifests.map(\.file),
            unread: unread.sorted { $0.place < $1.place },
            files: read, listing: listing, cache: cache, edited: edited)
    }

    /// The tree's display name: the name of the root package, unless one of its executables has the same name;
    /// otherwise the name of the git repository, or else of the folder.
    private func name(_ manifest: Manifest?) -> String {
        if let manifest,
            !manifest.targets.contains(where: { $0.kind == .executable && $0.name == manifest.name })
        {
            return manifest.name
        }
        let folder = PathText.split(root).name
        // A tree in a subfolder of a repository is not named after the repository. Git is not asked if the repository's
        // settings name no remote one. In a linked worktree, `.git` is a file.
        let settings = try? String(contentsOfFile: root + "/.git/config", encoding: .utf8)
        guard FileManager.default.fileExists(atPath: root + "/.git"),
            settings.map({ $0.contains(/origin|include/) }) ?? true,
            let output = try? Git.output(["config", "--get", "remote.origin.url"], in: root),
            let last = output.text.split(whereSeparator: { "/:\n".contains($0) }).last
        else { return folder }
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : String(last)
    }

    private func contents(of path: String) -> [UInt8]? {
        edited[path].map { Array($0.utf8) }
            ?? FileManager.default.contents(atPath: root + "/" + path).map(Array.init)
    }

    private func scope(of target: Manifest.Target, role: PackageRole) -> SourceScanner.Scope {
        if target.kind == .test { return .imports }
        return switch role {
        case .other: .imports
        case .api: .api
        case .app, .facade, .imp, .plain: .code
        }
    }

    private typealias Found = (folder: String, file: ManifestFile, manifest: Manifest)

    /// The packages of the tree, sorted by folder, with their manifests.
    ///
    /// A package in the `Tests` folder of another package is a test fixture, and may be broken on purpose. A
    /// fixture belongs to the tree only if a manifest depends on the fixture. The same holds for a package that
    /// a link repeats.
    private func manifests(
        _ listing: FileListing, _ cache: FactCache, _ names: Configuration, isLenient: Bool
    ) throws -> (manifests: [Found], unread: [UnreadManifest]) {
        var fixtures = fixtures(among: listing.packages, of: listing.packages).union(listing.repeatedPackages)
        var found: [Found] = []
        var unread: [UnreadManifest] = []
        var waiting = listing.packages.filter { !fixtures.contains($0) }
        while !waiting.isEmpty {
            // One manifest per step, because SwiftPM takes about a second to read a manifest.
            let read = concurrentMap(waiting, step: 1) { folder in
                (folder, Result { try manifest(in: folder, listing, cache) })
            }
            var new: [Found] = []
            for (folder, result) in read {
                do {
                    let (file, manifest) = try result.get()
                    new.append((folder, file, manifest))
                } catch let error as Diagnostic where error.kind == .configuration {
                    let manifest = UnreadManifest(folder, error, among: listing.packages, names) {
                        contents(of: PathText.manifest(in: folder))
                    }
                    if !isLenient {
                        throw manifest.error(why: "Skipping the package would hide its mistakes.")
                    }
                    unread.append(manifest)
                }
            }
            found += new
            waiting = fixtures.isEmpty ? [] : fixtures.intersection(new.flatMap(neighbours)).sorted()
            fixtures.subtract(waiting)
        }
        return (found.sorted { $0.folder < $1.folder }, unread)
    }

    /// The folders of the tree that a manifest depends on.
    private func neighbours(of found: Found) -> [String] {
        found.manifest.dependencies.compactMap(\.path).compactMap { path in
            PathText.relative(path, from: found.folder, in: root)
        }
    }

    private func manifest(
        in folder: String, _ listing: FileListing, _ cache: FactCache
    ) throws -> (ManifestFile, Manifest) {
        let file = try ManifestFile(
            in: folder, of: root, versioned: listing.versionedManifests[folder, default: []].sorted(),
            isEdited: edited[PathText.manifest(in: folder)] != nil, contents: contents)
        return (file, try cache.manifest(of: file.path, file.content) { try file.manifest(cache) })
    }

    /// The paths that are in the `Tests` folder of a package.
    private func fixtures(among paths: [String], of packages: [String]) -> Set<String> {
        let all = Set(packages)
        return Set(paths).filter { path in
            let parts = path.split(separator: "/")
            return parts.dropLast().contains { part in
                part == "Tests" && all.contains(String(path[..<part.startIndex].dropLast()))
            }
        }
    }
}
