import ModuleKit

/// Assigns Swift files to targets. The files are sorted, so a folder's files are contiguous.
package struct TargetFiles {
    private let files: [String]
    private let folders: Set<String>

    /// - Parameter folders: The folders that exist, also those without Swift files; needed for the folders of targets.
    package init(_ sorted: [String], folders: Set<String> = []) {
        (files, self.folders) = (sorted, folders)
    }

    /// The target's folder, relative to the root. As in SwiftPM, this is the declared folder, or else the folder with
    /// the target's name in the first default folder that exists. The only target of its kind may have no such folder,
    /// and then has the default folder itself.
    func folder(of target: Manifest.Target, in package: String, of manifest: Manifest) -> String {
        if let path = target.path { return PathText.join(package, path) }
        let usual =
            switch target.kind {
            case .test: ["Tests", "Sources", "Source", "src", "srcs"]
            case .plugin: ["Plugins"]
            default: ["Sources", "Source", "src", "srcs"]
            }
        let places = usual.map { PathText.join(package, $0) }
        let place = places.first(where: folders.contains) ?? places[0]
        let named = place + "/" + target.name
        let group = { (kind: Manifest.TargetKind) in [.test, .plugin].contains(kind) ? kind : .regular }
        let isAlone = manifest.targets.count { group($0.kind) == group(target.kind) } == 1
        return isAlone && !folders.contains(named) && folders.contains(place) ? place : named
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
