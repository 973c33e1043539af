/// A package of the tree. A class, for the rules hand packages about a great deal.
package final class LocalPackage: Sendable {
    /// Where it stands among the tree's packages.
    package let index: Int
    /// The folder, relative to the root; "" for the root package.
    package let path: String
    package let manifest: Manifest
    package let layer: Layer?
    package let role: PackageRole
    package let targets: [LocalTarget]

    /// The folder's name, which is how SwiftPM and people tell packages apart.
    package let name: String

    init(
        index: Int, path: String, manifest: Manifest, layer: Layer?, role: PackageRole, targets: [LocalTarget]
    ) {
        (self.index, self.path, self.manifest, self.layer, self.role) = (index, path, manifest, layer, role)
        self.targets = targets
        name = path.isEmpty ? manifest.name : path.split(separator: "/").last.map(String.init) ?? path
    }

    package var manifestPath: String { path.isEmpty ? "Package.swift" : path + "/Package.swift" }

    /// Whether it is released with a version of its own, and no half of a pair.
    package var isLibrary: Bool { role == .plain || role == .facade }

    /// The name of the pair: `Ride` for `Ride` and for `RideApi`.
    package var pairName: String { role == .api ? String(name.dropLast(3)) : name }
}

/// A target of a package of the tree, with the files that it compiles.
package final class LocalTarget: Sendable {
    package let declaration: Manifest.Target
    /// The module that it makes, as sources import it: `my_kit` for the target `my-kit`.
    package let module: String
    /// The folder, relative to the tree's root.
    package let folder: String

    /// Indices into the tree's files.
    package let files: [Int]

    init(_ declaration: Manifest.Target, folder: String, files: [Int]) {
        (self.declaration, self.folder, self.files) = (declaration, folder, files)
        module = ModuleIdentifier.of(declaration.name)
    }

    package var name: String { declaration.name }
    package var kind: Manifest.TargetKind { declaration.kind }
    package var dependencies: [Manifest.TargetDependency] { declaration.dependencies }
}

/// A Swift file of the tree.
package final class SourceFile: Sendable {
    /// The path, relative to the tree's root.
    package let path: String
    package let facts: SourceFacts

    init(path: String, facts: SourceFacts) { (self.path, self.facts) = (path, facts) }

    package func place(_ position: Position) -> SourcePlace { position.in(path) }
}
