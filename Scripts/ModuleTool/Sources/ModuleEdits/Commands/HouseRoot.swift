import Foundation
import ModuleTree
import ModuleVersions

/// The root folder of a tree of module pairs, with access to its files.
package struct HouseRoot: Sendable {
    package let url: URL

    /// The configuration, or the defaults if the tree has none.
    package let configuration: Configuration

    private let caching: TreeReader.Caching

    package init(_ url: URL, caching: TreeReader.Caching = .user) throws(Diagnostic) {
        (self.url, self.caching) = (url, caching)
        configuration = try Configuration(root: url.path) ?? Configuration()
    }

    /// Checks that the tree has VERSIONS.md and, for each app, a manifest with a list of pairs and the folder of the
    /// registrations.
    package func validate() throws(Diagnostic) {
        let lists = configuration.apps.map(\.registrations).filter { !exists(PathText.split($0).folder) }
        for path in configuration.apps.map(\.manifest) + [VersionsFile.path] + lists { _ = try text(path) }
    }

    package func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: path).path)
    }

    /// A path in the spelling of existing files and folders, because a file system that ignores case cannot have both
    /// `Scripts` and `scripts`.
    func spelled(_ path: String) -> String {
        path.split(separator: "/").reduce("") { folder, name in
            let names = try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path)
            let same = (names ?? []).filter { $0.lowercased() == name.lowercased() }
            return PathText.join(
                folder, same.contains(String(name)) ? String(name) : same.min() ?? String(name))
        }
    }

    func isFolder(_ path: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: path).path)) != nil
    }

    package func isLink(_ path: String) -> Bool {
        url.appending(path: path).isLink
    }

    /// The folders of a pair's packages.
    func folders(of pair: PairList.Pair) -> [String] {
        [pair.folder] + (pair.alternativeTo == nil ? [configuration.api(pair.folder)] : [])
    }

    package func text(_ path: String) throws(Diagnostic) -> String {
        guard let text = try? String(contentsOf: url.appending(path: path), encoding: .utf8) else {
            let settings = Configuration.path
            if !exists(settings), GitRepository.tracks(settings, root: url.path) {
                throw Diagnostic(
                    .configuration, at: url.appending(path: settings).path, "is missing.",
                    why: "The editing commands use it to find the files of the tree.",
                    fix: "git checkout \(settings)")
            }
            guard !exists(path) else {
                throw Diagnostic(
                    .configuration, at: url.appending(path: path).path, "this file cannot be read as UTF-8.",
                    why: "The command reads it as text.", fix: "Save it as UTF-8, and check its permissions.")
            }
            throw Diagnostic(
                .configuration, at: url.appending(path: path).path, "this file does not exist.",
                why:
                    "The editing commands need VERSIONS.md, and a manifest with a list of pairs, at the path in "
                    + "\(Configuration.path).",
                fix:
                    "Use --root to pass the root of a tree with these files, or create one: modules init --app NAME"
            )
        }
        return text
    }

    /// The list of pairs of each app.
    func pairLists() throws(Diagnostic) -> [PairList] {
        try configuration.apps.map { (app) throws(Diagnostic) in try PairList(text(app.manifest), of: app) }
    }

    /// The changes that write the manifest and the registrations of each app.
    func changes(_ lists: [PairList]) throws(Diagnostic) -> [Change] {
        var changes: [Change] = []
        for list in lists {
            changes.append(.write(path: list.app.manifest, contents: list.text))
            changes.append(.write(path: list.app.registrations, contents: try registrations(of: list)))
        }
        return changes
    }

    package func pairNames() throws(Diagnostic) -> [String] { try pairLists().pairs.map(\.name) }

    package func versionsFile() throws(Diagnostic) -> VersionsFile {
        let file = VersionsFile(try text(VersionsFile.path))
        if let problem = file.problems.first { throw problem }
        return file
    }

    func tree() throws -> Tree { try TreeReader(root: url.path, caching: caching).read() }

    /// The folders where packages are expected, such as `Packages/LAYER/NAME`, including folders without a manifest.
    func packageFolders() -> [String] {
        func folders(_ path: String) -> [String] {
            let names = try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: path).path)
            return (names ?? []).sorted().filter { !$0.hasPrefix(".") }.map { path + "/" + $0 }
        }
        return configuration.layers.flatMap(\.folders).flatMap(folders)
    }

    /// The folder of a package, such as `Packages/LAYER/NAME`.
    func folder(of package: String) throws(Diagnostic) -> String {
        // Only packages outside the layers, such as tools, require reading the tree.
        let found =
            packageFolders().first { $0.hasSuffix("/" + package) } ?? (try? tree())?.package(package)?.path
        guard let folder = found else {
            throw Diagnostic(
                .configuration, at: package, "there is no folder for \(package).",
                why: "\(VersionsFile.path) lists this package.",
                fix: "Remove the row of the package, or restore the folder.")
        }
        return folder
    }

    /// The paths of all files below a folder, sorted; by default without hidden files and folders.
    func files(in folder: String, includesHidden: Bool = false) -> [String] {
        let paths = try? FileManager.default.subpathsOfDirectory(atPath: url.appending(path: folder).path)
        return (paths ?? []).filter { path in
            let isHidden = path.split(separator: "/").contains { $0.hasPrefix(".") }
            guard includesHidden || !isHidden else { return false }
            let file = url.appending(path: "\(folder)/\(path)").path
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }.sorted().map { folder + "/" + $0 }
    }

    func swiftFiles(in folder: String) -> [String] { files(in: folder).filter { $0.hasSuffix(".swift") } }
}
