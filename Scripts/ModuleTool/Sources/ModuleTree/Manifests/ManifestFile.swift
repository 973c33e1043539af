import Foundation
import ModuleKit

/// The manifest in a package's folder, with the manifests for other tools versions beside it, as they were read.
struct ManifestFile: Sendable {
    /// The path, relative to the root.
    let path: String
    let bytes: [UInt8]
    /// The absolute path of the package.
    private let folder: String
    /// Whether an edit is about to change the file.
    private let isEdited: Bool
    /// The manifests for other tools versions.
    private let others: [(path: String, bytes: [UInt8])]
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
        others = versioned.map { ($0, contents($0) ?? []) }
        let all = others.reduce(bytes) { $0 + $1.bytes }
        content = all + ManifestVariables.values(for: all)
        self.folder = PathText.join(root, folder)
        (self.bytes, self.isEdited) = (bytes, isEdited)
    }

    /// Whether the toolchain chooses among several manifests, so that only SwiftPM can read them.
    private var isVersioned: Bool { !others.isEmpty }

    /// All manifests in the folder.
    var files: [(path: String, bytes: [UInt8])] { [(path, bytes)] + others }

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
        try manifests[package.index].build(cache)
    }

    /// The contents of a package's manifests, with which the tree was read: `Package.swift`, and the manifests for other
    /// tools versions beside it.
    package func manifests(of package: LocalPackage) -> [(path: String, bytes: [UInt8])] {
        manifests[package.index].files
    }
}
