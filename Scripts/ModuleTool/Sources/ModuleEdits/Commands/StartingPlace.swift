import Foundation
import ModuleTree

/// The folder in which `init` runs.
struct StartingPlace {
    /// The manifests of packages, relative to the folder.
    private(set) var manifests: [String] = []
    /// The Xcode projects, relative to the folder.
    private(set) var projects: [String] = []

    /// Whether the folder contains neither packages nor projects.
    var isEmpty: Bool { manifests.isEmpty && projects.isEmpty }

    /// The folders that contain other people's packages and projects.
    private static let foreign: Set = ["Pods", "Carthage", "DerivedData", "node_modules", "vendor"]

    init(_ folder: URL) throws(ToolError) {
        var isFolder: ObjCBool = false
        guard
            unsafe !FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder)
                || isFolder.boolValue
        else {
            throw ToolError(
                .configuration, at: folder.path, "this is a file.", why: "init needs a folder.",
                fix: "Give another path: modules init FOLDER --app NAME")
        }
        try Self.refuseInner(folder)
        find("", in: folder, depth: 0)
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let other = names.sorted().first { name in
            !name.hasPrefix(".") && !name.hasPrefix("README") && !name.hasPrefix("LICENSE")
        }
        guard let other, isEmpty else { return }
        throw ToolError(
            .configuration, at: folder.appending(path: other).path,
            "this folder is not empty, and has neither a Swift package nor an Xcode project.",
            why:
                "init makes a repository in an empty folder, or adds module pairs to a repository with an app.",
            fix: "Choose an empty folder, or the root of a repository.")
    }

    private mutating func find(_ path: String, in root: URL, depth: Int) {
        let folder = path.isEmpty ? root : root.appending(path: path)
        for name in ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() {
            let inner = path.isEmpty ? name : path + "/" + name
            if name == "Package.swift" { manifests.append(inner) }
            if name.hasSuffix(".xcodeproj") { projects.append(inner) }
            guard depth < 5, !name.contains("."), !Self.foreign.contains(name) else { continue }
            find(inner, in: root, depth: depth + 1)
        }
    }

    /// Refuses a folder inside another tree. The search ends at the root of the git repository.
    private static func refuseInner(_ folder: URL) throws(ToolError) {
        let files = FileManager.default
        var outer = folder.standardizedFileURL
        while outer.path != "/", !files.fileExists(atPath: outer.appending(path: ".git").path) {
            outer.deleteLastPathComponent()
            for name in [Configuration.path, "Package.swift"]
            where files.fileExists(atPath: outer.appending(path: name).path) {
                throw ToolError(
                    .configuration, at: folder.path, "this folder is inside the tree \(outer.path).",
                    why: "The outer tree would contain the new packages too.",
                    fix: "Run init there, or choose a folder outside.")
            }
        }
    }
}
