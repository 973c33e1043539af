import Foundation
import ModuleKit
import ModuleTree

/// Checks the folder in which `init` runs.
enum StartingPlace {
    /// Whether a folder contains neither packages nor Xcode projects, so that `init` makes a new repository there.
    static func isNew(_ folder: URL) throws -> Bool {
        func refuse(_ place: URL, _ what: String, why: String) -> Diagnostic {
            Diagnostic(
                .configuration, at: place.path, what, why: why,
                fix: "Choose an empty folder outside of other trees, or the root of a repository.")
        }
        // The folder must not be inside another tree. The search ends at the root of the git repository.
        let files = FileManager.default
        var outer = folder.standardizedFileURL
        while outer.path != "/", !files.fileExists(atPath: outer.appending(path: ".git").path) {
            outer.deleteLastPathComponent()
            for name in [Configuration.path, "Package.swift"]
            where files.fileExists(atPath: outer.appending(path: name).path) {
                throw refuse(
                    folder, "this folder is inside the tree \(outer.path).",
                    why: "The outer tree would contain the new packages too.")
            }
        }
        guard files.fileExists(atPath: folder.path) else { return true }
        let listing = try FileListing(root: folder.path)
        guard listing.packages.isEmpty, listing.projects.isEmpty else { return false }
        let other = try files.contentsOfDirectory(atPath: folder.path).sorted().first { name in
            ![".", "README", "LICENSE"].contains(where: name.hasPrefix)
        }
        guard let other else { return true }
        throw refuse(
            folder.appending(path: other),
            "this folder is not empty, and has neither a Swift package nor an Xcode project.",
            why:
                "This command creates a repository in an empty folder, or adds pairs to a repository with an app."
        )
    }
}
