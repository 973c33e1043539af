import ArgumentParser
import Foundation
import ModuleEdits
import ModuleKit
import ModuleTree

struct TreeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The tree's root folder.",
            discussion:
                "By default the launcher's repository. Without a launcher, the innermost folder around the current "
                + "one that contains \(Configuration.path), or else the outermost one that contains a package.",
            valueName: "folder"))
    var root: String?

    @Flag(help: "Parse every file again, and cache nothing for the next run.")
    var noCache = false

    func rootPath() -> String { Self.rootPath(root) }

    static func rootPath(_ root: String? = nil) -> String {
        let here = FileManager.default.currentDirectoryPath
        if let root {
            return URL(filePath: root, relativeTo: URL(filePath: here + "/")).standardizedFileURL.pathText
        }
        if let given = ProcessInfo.processInfo.environment["MODULETOOL_ROOT"], !given.isEmpty { return given }
        var folder = URL(filePath: here)
        var found: URL?
        while folder.pathText != "/" {
            if FileManager.default.fileExists(atPath: folder.pathText + "/" + Configuration.path) {
                return folder.pathText
            }
            if FileManager.default.fileExists(atPath: folder.pathText + "/Package.swift") { found = folder }
            folder.deleteLastPathComponent()
        }
        return found?.pathText ?? here
    }

    /// Reads the tree.
    ///
    /// - Parameter edited: The contents of files that an edit is about to change, by path.
    func read(isLenient: Bool = false, edited: [String: String] = [:]) throws -> Tree {
        try refuseInterrupted()
        return try TreeReader(root: rootPath(), caching: noCache ? .none : .user, edited: edited)
            .read(isLenient: isLenient)
    }

    /// Refuses a half-edited tree. Only a command that edits, or `recover`, undoes an interrupted command.
    func refuseInterrupted() throws {
        guard !Transaction.isPending(root: rootURL()) else {
            throw Diagnostic(
                .configuration, at: rootPath(), "an edit of this tree was interrupted or is still running",
                why: "The tree is half-edited.", fix: "Run: Scripts/modules recover")
        }
    }

    func rootURL() -> URL { URL(filePath: rootPath(), directoryHint: .isDirectory) }
}

extension URL {
    /// The path without a trailing slash.
    var pathText: String {
        let text = path(percentEncoded: false)
        return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
