import Foundation

/// The manifest in a package's folder, with the manifests for other tools versions beside it.
struct ManifestFile: Sendable {
    /// The path, relative to the root.
    let path: String
    let bytes: [UInt8]
    /// The absolute path of the package.
    private let folder: String
    /// Whether the toolchain chooses among several manifests, so that only SwiftPM can read them.
    private let isVersioned: Bool
    /// Whether an edit is about to change the file.
    private let isEdited: Bool
    /// Everything on which the package depends: the manifests, and the variables that they read.
    let content: [UInt8]

    /// - Parameters:
    ///   - versioned: The paths of the manifests for other tools versions, sorted.
    ///   - contents: Returns the contents of a file; nil if it cannot be read.
    init(
        in folder: String, of root: String, versioned: [String], isEdited: Bool,
        contents: (String) -> [UInt8]?
    ) throws(Diagnostic) {
        path = PathText.manifest(in: folder)
        guard let bytes = contents(path) else {
            throw Diagnostic.unreadable(path, root: root, kind: .configuration)
        }
        let all = versioned.reduce(bytes) { $0 + (contents($1) ?? []) }
        content = all + ManifestVariables.values(for: all)
        self.folder = PathText.join(root, folder)
        (self.bytes, isVersioned, self.isEdited) = (bytes, !versioned.isEmpty, isEdited)
    }

    /// Evaluates the manifest: from its text if it consists of literals, otherwise with SwiftPM.
    func manifest(_ cache: FactCache) throws -> Manifest {
        let source = try ManifestSource(bytes, in: folder)
        if !isVersioned, let manifest = source.literal { return manifest }
        return try DumpedManifest.read(dump(cache), source)
    }

    /// Evaluates, in the same way, how SwiftPM builds the package.
    func build(_ cache: FactCache) throws -> BuildManifest {
        if !isVersioned, let build = try LiteralManifest.build(bytes, in: folder) { return build }
        return try DumpedManifest.build(dump(cache))
    }

    private func dump(_ cache: FactCache) throws -> DumpedManifest.Output {
        try cache.shared("manifests", content, isOfTool: false) {
            // SwiftPM would read the file that an edit is about to change.
            isEdited
                ? try DumpedManifest.run(bytes, named: PathText.split(folder).name)
                : try DumpedManifest.run(in: folder)
        }
    }
}

extension Tree {
    /// Reads how SwiftPM builds a package of the tree.
    ///
    /// Safe to call from several threads.
    package func buildManifest(of package: LocalPackage) throws -> BuildManifest {
        let folder = PathText.join(root, package.path)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let versioned = names.filter { $0.hasPrefix("Package@swift-") && $0.hasSuffix(".swift") }.sorted()
        return try ManifestFile(
            in: package.path, of: root, versioned: versioned.map { PathText.join(package.path, $0) },
            isEdited: false
        ) { contents(of: $0).map(Array.init) }.build(cache)
    }
}
