import Foundation
import ModuleBytes
import ModuleKit

/// The files and packages below a folder.
package struct FileListing: Sendable {
    /// The Swift files except manifests and samples in DocC catalogues: paths relative to the root, sorted.
    private(set) var swiftFiles: [String] = []

    /// The paths of all folders, relative to the root. Excluded folders are included, their inner folders are not.
    private(set) var folders: Set<String> = []

    /// The folders that contain a `Package.swift`, relative to the root and sorted; "" for the root.
    package private(set) var packages: [String] = []

    /// The Xcode projects: folders `X.xcodeproj`, relative to the root and sorted. Only `init` asks for them.
    package private(set) var projects: [String] = []

    /// The packages that are listed a second time, because a link leads to a folder in the tree.
    private(set) var repeatedPackages: Set<String> = []

    /// The manifests for specific Swift versions, such as `Package@swift-6.0.swift`, by package folder.
    private(set) var versionedManifests: [String: [String]] = [:]

    /// All files, also manifests and samples in DocC catalogues: paths relative to the root, sorted.
    package var files: [String] { found.sorted() }
    private var found: [String] = []
    /// The folders in which nothing is listed, relative to the root.
    package private(set) var emptyFolders: [String] = []
    /// The links that lead nowhere, relative to the root. They are listed as files.
    package private(set) var danglingLinks: [String] = []

    /// Lists the files below a folder, by default except hidden files and hidden folders such as `.build`. Links to folders
    /// are followed, as SwiftPM follows them. A link that forms a cycle, or leads to a hidden folder of the tree, is left out.
    ///
    /// - Parameters:
    ///   - folder: The folder, relative to the root; by default the root.
    ///   - exclude: The folders to leave out, relative to the root.
    ///   - followsLinks: Whether links are listed. If not, they are left out.
    ///   - followsHidden: Whether links to hidden folders are followed, too.
    ///   - skipsUnreadable: Whether folders that cannot be opened are left out. If not, they are errors.
    ///   - hides: Whether a file or folder is left out, given the folder that contains it and its name.
    package init(
        root: String, in folder: String = "", exclude: [String] = [], followsLinks: Bool = true,
        followsHidden: Bool = false, skipsUnreadable: Bool = false,
        hides: @escaping @Sendable (_ folder: String, _ name: String) -> Bool = { $1.hasPrefix(".") }
    ) throws {
        (self.root, self.exclude, self.hides) = (root, Set(exclude), hides)
        (self.followsLinks, self.followsHidden) = (followsLinks, followsHidden)
        guard list(Folder(path: folder)) else {
            throw Diagnostic(
                .configuration, at: PathText.join(root, folder), "is not a readable folder",
                why: "The tool reads the tree from its root.", fix: "Pass another folder with --root.")
        }
        while let folder = pending.popLast() {
            guard list(folder) else {
                // The folder was deleted after its parent was listed.
                if errno == ENOENT || skipsUnreadable { continue }
                throw Diagnostic.unreadable(folder.path, root: root)
            }
        }
        findSourcesNamedPackage()
        swiftFiles.sort()
        packages.sort()
        projects.sort()
    }

    /// A symbolic link in the tree, and the file or folder of the tree that it leads to. Both are relative to the root.
    package typealias Link = (link: String, target: String)

    package private(set) var linkedFolders: [Link] = []
    package private(set) var linkedFiles: [Link] = []
    package var links: [Link] { linkedFiles + linkedFolders }

    private let root: String
    private let exclude: Set<String>
    private let followsLinks: Bool, followsHidden: Bool
    private let hides: @Sendable (_ folder: String, _ name: String) -> Bool
    private var pending: [Folder] = []

    private struct Folder {
        let path: String
        /// The real paths of the folders that contain the links on the way to this folder.
        var around: [String] = []
        /// Whether such a link leads to a folder of the tree.
        var isRepeated = false
    }

    /// Lists one folder. Returns false if it cannot be opened; `errno` then contains the reason.
    private mutating func list(_ parent: Folder) -> Bool {
        let folder = parent.path
        // `stream` has no type annotation, because its type differs between Linux and Apple platforms.
        guard let stream = unsafe opendir(folder.isEmpty ? root : root + "/" + folder) else { return false }
        defer { unsafe closedir(stream) }
        folders.insert(folder)
        // No target compiles the samples in a DocC catalogue, or what an Xcode project contains.
        let isSample = [".docc/", ".xcodeproj/"].contains { "/\(folder)/".contains($0) }
        var isEmpty = true
        defer { if isEmpty { emptyFolders.append(folder) } }
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard name != ".", name != "..", !hides(folder, name) else { continue }
            isEmpty = false
            let path = folder.isEmpty ? name : folder + "/" + name
            if exclude.contains(path) {
                folders.insert(path)
                continue
            }
            var inner: Folder?
            var isFolder = false
            if unsafe entry.pointee.d_type == UInt8(DT_DIR) {
                inner = Folder(path: path, around: parent.around, isRepeated: parent.isRepeated)
            } else if unsafe entry.pointee.d_type == UInt8(DT_UNKNOWN)
                || entry.pointee.d_type == UInt8(DT_LNK)
            {
                if !followsLinks, isLink(path) { continue }
                (isFolder, inner) = follow(path, from: parent)
            }
            if let inner {
                if name.hasSuffix(".xcodeproj"), !isSample { projects.append(path) }
                pending.append(inner)
                continue
            }
            if isFolder { continue }
            found.append(path)
            if isSample { continue }
            if name == "Package.swift" {
                packages.append(folder)
                if parent.isRepeated { repeatedPackages.insert(folder) }
            } else if name.hasPrefix("Package@swift-"), name.hasSuffix(".swift") {
                versionedManifests[folder, default: []].append(path)
            } else if name.hasSuffix(".swift") {
                swiftFiles.append(path)
            }
        }
        return true
    }

    /// Treats a Package.swift that is not a manifest as a source file, because a target may declare a type named
    /// `Package`.
    private mutating func findSourcesNamedPackage() {
        let words = ["PackageDescription", "swift-tools-version"]
        let all = Set(packages)
        let sources = packages.filter { folder in
            let parts = folder.split(separator: "/")
            let isInTarget = parts.indices.contains { index in
                ["Sources", "Source", "src", "srcs", "Tests"].contains(parts[index])
                    && all.contains(parts[..<index].joined(separator: "/"))
            }
            guard isInTarget else { return false }
            let text = FileManager.default.contents(atPath: "\(root)/\(folder)/Package.swift") ?? Data()
            return words.allSatisfy { Array(text).place(of: $0) == nil }
        }
        packages.removeAll(where: sources.contains)
        swiftFiles += sources.map { $0 + "/Package.swift" }
    }

    private func isLink(_ path: String) -> Bool {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: root + "/" + path)) != nil
    }

    private func isHidden(_ path: String) -> Bool {
        let (folder, name) = PathText.split(path)
        return hides(folder, name)
    }

    /// Whether a link, or an entry of a file system that does not tell folders from links, leads to a folder, and the folder
    /// to list; nil for a file, and for a link that is not followed.
    private mutating func follow(_ path: String, from parent: Folder) -> (isFolder: Bool, inner: Folder?) {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder)
        else {
            danglingLinks.append(path)
            return (false, nil)
        }
        func real(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path + "/" }
        let (target, tree) = (real(root + "/" + path), real(root))
        let inner = target.hasPrefix(tree) ? String(target.dropFirst(tree.count).dropLast()) : nil
        guard isFolder.boolValue else {
            if let inner { linkedFiles.append((path, inner)) }
            return (false, nil)
        }
        let around = parent.around + [real(root + "/" + parent.path)]
        guard !around.contains(where: { $0.hasPrefix(target) }),
            followsHidden || inner.map({ PathText.upward($0).contains(where: isHidden) }) != true
        else { return (true, nil) }
        if let inner { linkedFolders.append((path, inner)) }
        return (true, Folder(path: path, around: around, isRepeated: inner != nil || parent.isRepeated))
    }
}
