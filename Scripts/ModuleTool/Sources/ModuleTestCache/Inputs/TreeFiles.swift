import Foundation
import ModuleKit
import ModuleTree

/// All files below the root of a tree, except those that builds and git create in the folders of packages.
struct TreeFiles {
    private let root: String
    /// The paths, relative to the root and sorted. That of an empty folder ends with a slash: a resource that is copied
    /// contains such folders.
    private let paths: [String]
    /// The links that lead nowhere.
    let danglingLinks: [String]
    private let folders: TargetFiles

    /// Lists the files, as SwiftPM finds them: links to folders are followed.
    ///
    /// - Parameter packages: The folders of the packages.
    init(root: String, packages: Set<String>) throws {
        self.root = root
        let listing = try FileListing(root: root, followsHidden: true, skipsUnreadable: true) {
            folder, name in
            // Elsewhere, a fixture may have such a name.
            (folder.isEmpty || packages.contains(folder))
                && ([".build", ".git", ".swiftpm", ".modules", ".DS_Store"].contains(name)
                    || name.hasPrefix(".build-"))
        }
        paths = (listing.files + listing.emptyFolders.map { $0 + "/" }).sorted()
        danglingLinks = listing.danglingLinks.sorted()
        folders = TargetFiles(paths)
    }

    /// The files in and below a folder, or the file at this path itself.
    func paths(in folder: String) -> ArraySlice<String> {
        let range = folders.range(in: folder)
        return range.isEmpty && Command.isFile(root + "/" + folder) ? [folder] : paths[range]
    }

    /// The contents of files, read in parallel. Files whose names differ only in the Unicode form of a letter are
    /// missing, because their names are equal strings.
    func contents(of paths: Set<String>) -> [String: FileContent] {
        let twins = Set(zip(self.paths, self.paths.dropFirst()).filter(==).map(\.0))
        return values(of: paths) { FileContent(twins.contains($0) ? "" : root + "/" + $0) }
    }

    func times(of folders: Set<String>) -> [String: FileTimes] {
        values(of: folders) { FileTimes(root + "/" + $0) }.compactMapValues(\.self)
    }

    private func values<Value: Sendable>(of paths: Set<String>, _ read: @Sendable (String) -> Value)
        -> [String: Value]
    {
        let list = Array(paths)
        return Dictionary(uniqueKeysWithValues: zip(list, concurrentMap(list, read)))
    }

    /// The folders around files, without the root.
    static func folders(around paths: Set<String>) -> Set<String> {
        paths.reduce(into: []) { found, path in
            for folder in PathText.upward(PathText.split(path).folder) where !found.insert(folder).inserted {
                break
            }
        }
    }
}
