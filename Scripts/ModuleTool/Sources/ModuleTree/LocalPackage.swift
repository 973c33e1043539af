/// A package of the tree.
package struct LocalPackage: Sendable {
    /// The folder, relative to the root; "" for the root package.
    package let path: String
    package let manifest: Manifest
    package let layer: Layer?
    package let role: PackageRole
    package internal(set) var targets: [LocalTarget] = []

    /// The folder's name, which is how SwiftPM and people tell packages apart.
    package let name: String

    init(path: String, manifest: Manifest, layer: Layer?, role: PackageRole) {
        (self.path, self.manifest, self.layer, self.role) = (path, manifest, layer, role)
        name = path.isEmpty ? manifest.name : path.split(separator: "/").last.map(String.init) ?? path
    }

    package var manifestPath: String { path.isEmpty ? "Package.swift" : path + "/Package.swift" }

    /// Whether it is released with a version of its own, and no half of a pair.
    package var isLibrary: Bool { role == .plain || role == .facade }

    /// The name of the pair: `Ride` for `Ride` and for `RideApi`.
    package var pairName: String { role == .api ? String(name.dropLast(3)) : name }
}

/// A target of a package of the tree, with the files that it compiles.
package struct LocalTarget: Sendable {
    package let declaration: Manifest.Target
    /// The folder, relative to the tree's root.
    package let folder: String

    /// Indices into the tree's files.
    package let files: [Int]

    package var name: String { declaration.name }
    package var kind: Manifest.TargetKind { declaration.kind }
    package var dependencies: [Manifest.TargetDependency] { declaration.dependencies }
}

/// A Swift file of the tree.
package struct SourceFile: Sendable {
    /// The path, relative to the tree's root.
    package let path: String
    package let facts: SourceFacts

    package func place(_ position: Position) -> SourcePlace { position.in(path) }
}
