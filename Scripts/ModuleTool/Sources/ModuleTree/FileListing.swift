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

    /// Lists the files below a folder, except hidden files and hidden folders such as `.build`. Links to folders
    /// are followed, as SwiftPM follows them, unless they lead to a hidden folder of the tree or form a cycle.
    ///
    /// - Parameter exclude: The folders to leave out, relative to the root.
    package init(root: String, exclude: [String] = []) throws {
        (self.root, self.exclude) = (root, Set(exclude))
        guard list(Folder(path: "")) else {
            throw Diagnostic(
                .configuration, at: root, "is not a readable folder",
                why: "The tool reads the tree from its root.", fix: "Pass another folder with --root.")
        }
        while let folder = pending.popLast() {
            guard list(folder) else {
                // The folder was deleted after its parent was listed.
                if errno == ENOENT { continue }
                throw Diagnostic.unreadable(folder.path, root: root)
            }
        }
        findSourcesNamedPackage()
        swiftFiles.sort()
        packages.sort()
        projects.sort()
    }

    /// The symbolic links to folders in the tree, each with the path of its target. All paths are relative to the
    /// root.
    private(set) var linkedFolders: [(link: String, folder: String)] = []
    /// The symbolic links to files in the tree, each with the path of its target.
    private(set) var linkedFiles: [(link: String, file: String)] = []

    private let root: String
    private let exclude: Set<String>
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
        // DocC catalogues contain sample code that no target compiles.
        let isDocumentation = "/\(folder)/".contains(".docc/")
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            guard !name.hasPrefix(".") else { continue }
            let path = folder.isEmpty ? name : folder + "/" + name
            if exclude.contains(path) {
                folders.insert(path)
                continue
            }
            var inner: Folder?
            if unsafe entry.pointee.d_type == UInt8(DT_DIR) {
                inner = Folder(path: path, around: parent.around, isRepeated: parent.isRepeated)
            } else if unsafe entry.pointee.d_type == UInt8(DT_UNKNOWN)
                || entry.pointee.d_type == UInt8(DT_LNK)
            {
                inner = follow(path, from: parent)
            }
            if let inner {
                if name.hasSuffix(".xcodeproj") { projects.append(path) } else { pending.append(inner) }
            } else if isDocumentation {
                continue
            } else if name == "Package.swift" {
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

    /// The folder to list for a link, or for a file system that does not tell folders from links; nil for a file, and
    /// for a folder that has been listed on the way to the link.
    private mutating func follow(_ path: String, from parent: Folder) -> Folder? {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: root + "/" + path, isDirectory: &isFolder)
        else { return nil }
        func real(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path + "/" }
        let (target, tree) = (real(root + "/" + path), real(root))
        let inner = target.hasPrefix(tree) ? String(target.dropFirst(tree.count).dropLast()) : nil
        guard isFolder.boolValue else {
            if let inner { linkedFiles.append((path, inner)) }
            return nil
        }
        let around = parent.around + [real(root + "/" + parent.path)]
        guard !around.contains(where: { $0.hasPrefix(target) }),
            inner?.split(separator: "/").contains(where: { $0.hasPrefix(".") }) != true
        else { return nil }
        if let inner { linkedFolders.append((path, inner)) }
        return Folder(path: path, around: around, isRepeated: inner != nil || parent.isRepeated)
    }
}
