import Foundation
import ModuleTree
import ModuleVersions

/// The root of a tree of module pairs, and the files there that list them.
package struct HouseRoot: Sendable {
    static let manifest = "Package.swift"
    static let versions = "VERSIONS.md"
    static let layers = ["Business", "Common"]

    /// The folder.
    package let url: URL

    private let caching: TreeReader.Caching

    /// The tree in this folder. Nothing is read yet.
    package init(_ url: URL, caching: TreeReader.Caching = .user) {
        (self.url, self.caching) = (url, caching)
    }

    /// Checks that this is the root of such a tree.
    ///
    /// - Throws: ``EditError`` when a file is missing.
    package func validate() throws(EditError) {
        for path in [Self.manifest, Self.versions, RegistrationsFile.path] { _ = try text(path) }
    }

    func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: path).path)
    }

    /// A file's text.
    func text(_ path: String) throws(EditError) -> String {
        guard let data = try? Data(contentsOf: url.appending(path: path)) else {
            throw EditError(
                .usage, at: url.appending(path: path).path, "the file cannot be read.",
                why:
                    "Pairs are added, removed and raised in trees that have a root manifest with their list, "
                    + "the Shell's registrations and VERSIONS.md.",
                mend: "Give the root of such a tree with --root.")
        }
        guard let text = String(data: data, encoding: .utf8) else {
            throw EditError(
                .usage, at: url.appending(path: path).path, "the file is not in UTF-8.",
                why: "Rewriting it would damage it.", mend: "Convert it to UTF-8.")
        }
        return text
    }

    func pairList() throws(EditError) -> PairList {
        try PairList(manifest: text(Self.manifest))
    }

    func versionsFile() throws(EditError) -> VersionsFile {
        let text = try text(Self.versions)
        do {
            return try VersionsFile(text)
        } catch {
            throw EditError(
                .usage, error.description, why: "Nothing is changed in a file that cannot be read.",
                mend: "Mend it and run the command again.")
        }
    }

    /// The packages of the tree, read anew.
    func tree() throws -> Tree { try TreeReader(root: url.path, caching: caching).read() }

    /// The folders of the packages, those without a manifest too.
    func packageFolders() -> [String] {
        func folders(_ path: String) -> [String] {
            let names = try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: path).path)
            return (names ?? []).sorted().filter { !$0.hasPrefix(".") }.map { path + "/" + $0 }
        }
        return folders("Packages").flatMap(folders)
    }

    /// Every Swift file below a folder, sorted.
    func swiftFiles(in folder: String) -> [String] {
        let paths = try? FileManager.default.subpathsOfDirectory(atPath: url.appending(path: folder).path)
        return (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().map { folder + "/" + $0 }
    }
}
