/// Assigns Swift files to targets. The files are sorted, so a folder's files are contiguous.
package struct Sources {
    private let files: [String]

    package init(_ sorted: [String]) { files = sorted }

    /// The target's folder, relative to the root: the declared folder, or the first default folder that
    /// contains files.
    func folder(of target: Manifest.Target, in package: String, of manifest: Manifest) -> String {
        if let path = target.path { return PathText.join(package, path) }
        let usual =
            switch target.kind {
            case .test: ["Tests", "Sources", "Source", "src", "srcs"]
            case .plugin: ["Plugins"]
            default: ["Sources", "Source", "src", "srcs"]
            }
        let named = usual.lazy.map { PathText.join(package, $0 + "/" + target.name) }
        if let folder = named.first(where: { !range(in: $0).isEmpty }) { return folder }
        // The only target or only test target may keep its files directly in the default folder.
        let plain = PathText.join(package, usual[0])
        let isAlone = manifest.targets.count { ($0.kind == .test) == (target.kind == .test) } == 1
        return isAlone && !range(in: plain).isEmpty ? plain : named[0]
    }

    /// The indices of the files that the target compiles.
    func files(of target: Manifest.Target, folder: String) -> [Int] {
        let excluded = target.exclude.map { PathText.join(folder, $0) }
        let chosen = target.sources?.map { PathText.join(folder, $0) }
        func lies(_ file: String, in path: String) -> Bool { file == path || file.hasPrefix(path + "/") }
        return range(in: folder).filter { index in
            let file = files[index]
            return !excluded.contains { lies(file, in: $0) }
                && (chosen.map { $0.contains { lies(file, in: $0) } } ?? true)
        }
    }

    /// The indices of the files in a folder.
    ///
    /// - Complexity: O(log *n*).
    package func range(in folder: String) -> Range<Int> {
        if folder.isEmpty { return files.indices }
        // In ASCII, "0" follows "/".
        return files.sortedIndex { $0 >= folder + "/" }..<files.sortedIndex { $0 >= folder + "0" }
    }
}
