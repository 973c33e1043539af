import ModuleBytes
import ModuleEdits
import ModuleTree
import ModuleVersions

/// What `new-module`, `remote` or `add` wrote, or would write today, for a pair, a generated package or a copy.
struct GeneratedFiles {
    /// The contents by path.
    private var texts: [String: String] = [:]
    /// The digests of copied files by path.
    private var digests: [String: String] = [:]
    private let root: TreeRoot

    /// - Parameter name: The name of the pair, or of the package. An alternative IMP has no generated files: it is a copy
    ///   of the work in another one.
    init(of name: String, _ generated: GeneratedPackage?, in root: TreeRoot, _ tree: Tree) throws {
        self.root = root
        for (copy, folder) in tree.copies(in: root).values {
            for (path, digest) in copy.digests { digests["\(folder)/\(path)"] = digest }
            digests["\(folder)/\(PackageCopy.path)"] = ContentDigest(Array(copy.text.utf8)).text
        }
        let versions = try root.versionsFile()
        // If the package cannot be generated today, all its files count as work.
        texts = (try? generated?.files(versions)) ?? [:]
        guard let pair = try root.pairLists().pairs.first(where: { $0.name == name }),
            pair.alternativeTo == nil,
            let imp = tree.package(in: pair.folder), let first = versions.row(of: name)?.imp
        else { return }
        let callees = imp.manifest.dependencies.compactMap { tree.package(reachedBy: $0, of: imp) }
            .filter { $0.role == .api && $0.name != imp.apiName }.sorted { $0.pairName < $1.pairName }
        let templates = ModuleTemplates(
            name: name, folder: pair.folder, configuration: root.configuration,
            settings: try root.sharedSettings(), first: first)
        let suffix = root.configuration.apiSuffix
        texts = try ModuleTemplates.formatted(
            templates.pair(calling: callees.map { String($0.path.dropLast(suffix.count)) }), like: root)
    }

    /// Whether a file has exactly the generated contents, so that it contains no work.
    func contains(_ path: String) -> Bool {
        guard let text = root.textIfAny(path) else { return false }
        return texts[path] == text || digests[path] == ContentDigest(Array(text.utf8)).text
    }
}
