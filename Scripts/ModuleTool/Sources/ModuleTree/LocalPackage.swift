/// A package of the tree.
public struct LocalPackage: Sendable {
    /// The folder, relative to the root; "" for the root package.
    public let path: String
    public let manifest: Manifest
    public let layer: Layer?
    public let role: PackageRole
    public internal(set) var targets: [LocalTarget] = []

    /// The folder's name, which is how SwiftPM and people tell packages apart.
    public var name: String {
        path.isEmpty ? manifest.name : path.split(separator: "/").last.map(String.init) ?? path
    }

    public var manifestPath: String { path.isEmpty ? "Package.swift" : path + "/Package.swift" }

    /// The name of the pair: `Ride` for `Ride` and for `RideApi`.
    public var pairName: String { role == .api ? String(name.dropLast(3)) : name }
}

/// A target of a package of the tree, with the files that it compiles.
public struct LocalTarget: Sendable {
    public let declaration: Manifest.Target
    /// The folder, relative to the tree's root.
    public let folder: String

    /// Indices into the tree's files.
    public let files: [Int]

    public var name: String { declaration.name }
    public var kind: Manifest.TargetKind { declaration.kind }
    public var dependencies: [Manifest.TargetDependency] { declaration.dependencies }
}

/// A Swift file of the tree.
public struct SourceFile: Sendable {
    /// The path, relative to the tree's root.
    public let path: String
    public let facts: SourceFacts

    public func place(_ position: Position) -> SourcePlace { position.in(path) }
}
