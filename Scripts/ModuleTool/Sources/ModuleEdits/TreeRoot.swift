import Foundation
import ModuleKit
import ModuleTree
import ModuleVersions

/// The root folder of a tree of module pairs, with access to its files and packages.
package struct TreeRoot: Sendable {
    package let url: URL

    /// The configuration, or the defaults if the tree has none.
    package let configuration: Configuration

    /// Reads the packages, given whether a manifest that cannot be read is left out instead of causing an error.
    private let read: @Sendable (_ isLenient: Bool) throws -> Tree

    /// Reads the packages. An edit needs all of them, so a manifest that cannot be read is an error.
    package func tree() throws -> Tree { try read(false) }

    /// Reads the packages whose manifests can be read.
    package func readableTree() throws -> Tree { try read(true) }

    /// The contents of a file that has been read, or that an edit is about to change; nil for other files.
    private let contents: @Sendable (String) -> Data?

    package init(_ url: URL, caching: TreeReader.Caching = .user) throws(Diagnostic) {
        self.url = url
        configuration = try Configuration(root: url.path) ?? Configuration()
        read = { try TreeReader(root: url.path, caching: caching).read(isLenient: $0) }
        contents = { _ in nil }
    }

    /// The root of a tree whose packages have been read, with the edits that the tree was read with.
    package init(_ tree: Tree) {
        url = URL(filePath: tree.root, directoryHint: .isDirectory)
        configuration = tree.names
        read = { _ in tree }
        contents = { tree.contents(of: $0) }
    }

    /// Checks that the tree has VERSIONS.md, if its packages have versions, and, for each app, a manifest with a list of pairs and the folder of the
    /// registrations.
    package func validate() throws(Diagnostic) {
        let lists = configuration.apps.map(\.registrations).filter { !exists(PathText.split($0).folder) }
        let versions = configuration.versions == .table ? [VersionsFile.path] : []
        for path in configuration.apps.map(\.manifest) + versions + lists { _ = try text(path) }
    }

    // MARK: Files

    package func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url.appending(path: path).path)
    }

    /// A path in the spelling of existing files and folders, because a file system that ignores case cannot have both
    /// `Scripts` and `scripts`.
    package func spelled(_ path: String) -> String {
        path.split(separator: "/").reduce("") { folder, name in
            let names = try? FileManager.default.contentsOfDirectory(atPath: url.appending(path: folder).path)
            let same = (names ?? []).filter { $0.lowercased() == name.lowercased() }
            return PathText.join(
                folder, same.contains(String(name)) ? String(name) : same.min() ?? String(name))
        }
    }

    package func isLink(_ path: String) -> Bool {
        url.appending(path: path).isLink
    }

    /// The text of a file; nil if the file is missing or cannot be read as UTF-8.
    package func textIfAny(_ path: String) -> String? {
        contents(path).flatMap { String(data: $0, encoding: .utf8) }
            ?? (try? String(contentsOf: url.appending(path: path), encoding: .utf8))
    }

    package func text(_ path: String) throws(Diagnostic) -> String {
        if let text = textIfAny(path) { return text }
        let settings = Configuration.path
        let isLost = !exists(settings) && GitRepository.tracks(settings, root: url.path)
        let isThere = !isLost && exists(path)
        throw Diagnostic(
            .configuration, at: url.appending(path: isLost ? settings : path).path,
            isThere ? "cannot be read as UTF-8." : "is missing.",
            why: "The editing commands read it: they need a manifest with a list of pairs, at the path that "
                + "\(settings) names, and VERSIONS.md, unless the tree has no versions.",
            fix: isLost
                ? "Run: git checkout \(settings)"
                : isThere
                    ? "Save it as UTF-8, and check its permissions."
                    : "Use --root to pass the root of a tree with these files, or create one: Scripts/modules init --app NAME"
        )
    }

    /// The paths of all files below a folder, sorted, without hidden ones and links.
    package func files(in folder: String) -> [String] {
        (try? FileListing(root: url.path, in: folder, followsLinks: false))?.files ?? []
    }

    /// Refuses new files that git ignores: nobody else would get them.
    package func refuseIgnored(_ paths: some Sequence<String>) throws {
        let ignored = try GitRepository.ignored(paths.filter { !exists($0) }.sorted(), in: url.path)
        guard let first = ignored.first else { return }
        let others = ignored.count - 1
        throw Diagnostic(
            .refused, at: first.line,
            "git ignores \(first.path)"
                + (others == 0 ? "" : " and \(Spelling.count(others, "other new file"))")
                + ": the line is '\(first.pattern)'.",
            why: "The files would be missing in every other clone.",
            fix: "Remove this line, or add '!\(first.pattern)' below it, and run the command again.")
    }

    // MARK: Pairs

    /// The list of pairs of each app.
    package func pairLists() throws(Diagnostic) -> [PairList] {
        try configuration.apps.map { (app) throws(Diagnostic) in try PairList(text(app.manifest), of: app) }
    }

    package func pairNames() throws(Diagnostic) -> [String] { try pairLists().pairs.map(\.name) }

    /// The versions of the packages. If they have none, each pair has the version of a new pair.
    package func versionsFile() throws(Diagnostic) -> VersionsFile {
        guard configuration.versions == .table else { return try withoutVersions() }
        let file = VersionsFile(try text(VersionsFile.path))
        if let problem = file.problems.first { throw problem }
        return file
    }

    private func withoutVersions() throws(Diagnostic) -> VersionsFile {
        let empty = VersionsFile(VersionsFile.template)
        return try pairLists().pairs.reduce(empty) { file, pair in
            let api = pair.alternativeTo.map(VersionsFile.Api.of) ?? .own(ModuleTemplates.version)
            return file.with(.init(module: pair.name, api: api, imp: ModuleTemplates.version))
        }
    }

    /// The change that writes VERSIONS.md; none if the packages have no versions.
    package func changes(_ versions: VersionsFile) -> [Change] {
        configuration.versions == .table ? [.write(path: VersionsFile.path, contents: versions.text)] : []
    }

    /// Refuses a command that releases versions, if the packages have none.
    package func requireVersions(for command: String) throws(Diagnostic) {
        guard configuration.versions == .none else { return }
        throw Diagnostic(
            .refused, at: Configuration.path, "\(command) needs versions, and this file says versions: none.",
            why: "The app ships as one, so no package of the tree has a version that others could require.",
            fix:
                "To give the packages versions, remove versions: none, and write \(VersionsFile.path) and the change "
                + "notes as `Scripts/modules check versions` says.")
    }

    /// The settings at the end of every manifest; may be empty.
    package func sharedSettings() throws(Diagnostic) -> String {
        try configuration.apps.first.map { (app) throws(Diagnostic) in
            SharedSettings.end(of: try text(app.manifest))
        } ?? ""
    }
}
