/// An Xcode project represented as a package: a manifest with its targets and their dependencies, and the files that
/// each target builds.
struct XcodeProject: Sendable {
    /// The folder `X.xcodeproj`, relative to the root of the tree.
    let path: String
    private(set) var manifest: Manifest
    /// In the order of the manifest's targets.
    let targets: [Target]
    /// The files and folders that the project shows, including local packages.
    private let shown: Set<String>

    struct Target: Sendable {
        /// The name that sources import.
        let module: String
        /// The files and folders that the target builds: sources, resources and synchronised folders.
        var paths: Set<String> = []
        /// The files that the target lists individually.
        var sources: Set<String> = []
        /// The synchronised folders, whose files the target compiles, except the excluded ones.
        var folders: Set<String> = []
        var excluded: Set<String> = []
    }

    /// - Parameters:
    ///   - bytes: The contents of `project.pbxproj`.
    ///   - path: The folder `X.xcodeproj`, relative to the root of the tree.
    init(_ bytes: [UInt8], at path: String, root: String) throws(ToolError) {
        var reader = XcodeProjectReader(
            try .read(bytes, in: PathText.manifest(in: path)), bytes, at: path, root: root)
        targets = reader.read()
        (self.path, manifest, shown) = (path, reader.manifest, Set(reader.paths.values))
    }

    /// Finds the package or project behind each product that this project uses without naming its package. Of several
    /// candidates, prefers one that the project shows, then the nearest.
    mutating func resolve(among all: [(folder: String, manifest: Manifest)], root: String) {
        var providers: [String: [String]] = [:]
        for (folder, manifest) in all where folder != path {
            for product in manifest.products { providers[product.name, default: []].append(folder) }
        }
        func distance(_ folder: String) -> Int {
            PathText.path(to: "/" + folder, from: "/" + path).split(separator: "/").count
        }
        let own = Set(manifest.targets.map(\.name))
        manifest.targets = manifest.targets.map { target in
            var target = target
            target.dependencies = target.dependencies.map { use in
                guard use.package == nil, !own.contains(use.name), let folders = providers[use.name],
                    let folder = folders.first(where: shown.contains)
                        ?? folders.min(by: { distance($0) < distance($1) })
                else { return use }
                let package = manifest.depend(on: PathText.join(root, folder), at: use.position ?? Position())
                return .init(name: use.name, package: package, traits: [], position: use.position)
            }
            return target
        }
    }
}

extension Manifest {
    /// Adds a package or a project to the dependencies, and returns its identity or, if another one has the same
    /// identity, its path.
    mutating func depend(on path: String, at position: Position) -> String {
        let identity = PackageIdentity.of(path)
        if let known = dependencies.first(where: { $0.path == path }) { return known.alias ?? identity }
        let alias = dependencies.contains { $0.identity == identity } ? path : nil
        dependencies.append(
            .init(identity: identity, alias: alias, path: path, requirement: nil, position: position))
        return alias ?? identity
    }
}
