import Foundation
import ModuleTree

/// Checks the folder in which `init` runs.
enum StartingPlace {
    /// Whether a folder contains neither packages nor Xcode projects, so that `init` makes a new repository there.
    static func isNew(_ folder: URL) throws -> Bool {
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: folder.path, isDirectory: &isFolder) else {
            try refuseInner(folder)
            return true
        }
        guard isFolder.boolValue else {
            throw Diagnostic(
                .configuration, at: folder.path, "this is a file.", why: "init needs a folder.",
                fix: "Choose another path: modules init FOLDER --app NAME")
        }
        try refuseInner(folder)
        let listing = try FileListing(root: folder.path)
        guard listing.packages.isEmpty, listing.projects.isEmpty else { return false }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let other = names.first { name in
            !name.hasPrefix(".") && !name.hasPrefix("README") && !name.hasPrefix("LICENSE")
        }
        guard let other else { return true }
        throw Diagnostic(
            .configuration, at: folder.appending(path: other).path,
            "this folder is not empty, and has neither a Swift package nor an Xcode project.",
            why: "init creates a repository in an empty folder, or adds pairs to a repository with an app.",
            fix: "Choose an empty folder, or the root of a repository.")
    }

    /// Refuses a folder inside another tree. The search ends at the root of the git repository.
    private static func refuseInner(_ folder: URL) throws(Diagnostic) {
        let files = FileManager.default
        var outer = folder.standardizedFileURL
        while outer.path != "/", !files.fileExists(atPath: outer.appending(path: ".git").path) {
            outer.deleteLastPathComponent()
            for name in [Configuration.path, "Package.swift"]
            where files.fileExists(atPath: outer.appending(path: name).path) {
                throw Diagnostic(
                    .configuration, at: folder.path, "this folder is inside the tree \(outer.path).",
                    why: "The outer tree would contain the new packages too.",
                    fix: "Run init there, or choose a folder outside it.")
            }
        }
    }
}
