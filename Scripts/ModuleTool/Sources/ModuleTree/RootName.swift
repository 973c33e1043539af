import Foundation

/// The name by which people know a tree.
enum RootName {
    /// The name of the root package, unless one of its executables has the same name; otherwise the name of the git
    /// repository, or else of the folder.
    static func of(_ root: String, _ manifest: Manifest?) -> String {
        if let manifest,
            !manifest.targets.contains(where: { $0.kind == .executable && $0.name == manifest.name })
        {
            return manifest.name
        }
        let folder = URL(filePath: root).lastPathComponent
        // A tree in a subfolder of a repository is not named after the repository.
        guard FileManager.default.fileExists(atPath: root + "/.git"),
            let output = try? Command.run(["git", "config", "--get", "remote.origin.url"], in: root),
            let last = output.text.split(whereSeparator: { "/:\n".contains($0) }).last
        else { return folder }
        return last.hasSuffix(".git") ? String(last.dropLast(4)) : String(last)
    }
}
