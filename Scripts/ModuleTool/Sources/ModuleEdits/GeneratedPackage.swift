import ModuleTree
import ModuleVersions

/// A package that the tool has generated from a pair, such as `GateRemote`.
package struct GeneratedPackage {
    package let name: String
    /// The name of the pair; nil if the pair does not exist any more.
    package let pair: String?
    /// The folder of the package, relative to the root.
    package let folder: String
    /// All files as the tool writes them for the first time, by path.
    package let files: (VersionsFile) throws -> [String: String]
    /// The new contents of the generated files that no longer match the pair, by path.
    package let stale: (VersionsFile) throws -> [String: String]

    package init(
        _ name: String, of pair: String?, in folder: String,
        files: @escaping (VersionsFile) throws -> [String: String],
        stale: @escaping (VersionsFile) throws -> [String: String]
    ) {
        (self.name, self.pair, self.folder, self.files, self.stale) = (name, pair, folder, files, stale)
    }

    /// Finds the generated packages of a tree.
    package typealias Finder = @Sendable (TreeRoot, Tree) throws -> [GeneratedPackage]
}
