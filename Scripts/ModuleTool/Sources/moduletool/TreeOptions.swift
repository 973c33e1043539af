import ArgumentParser
import Foundation
import ModuleEdits
import ModuleTree

/// The tree that a command works on.
struct TreeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The tree's root folder.",
            discussion:
                "By default the launcher's repository, or else the outermost package around the current folder.",
            valueName: "folder"))
    var root: String?

    @Flag(help: "Parse every file again, and cache nothing for the next run.")
    var noCache = false

    /// The absolute path of the root.
    func rootPath() -> String {
        let here = FileManager.default.currentDirectoryPath
        if let root {
            return URL(filePath: root, relativeTo: URL(filePath: here + "/")).standardizedFileURL.pathText
        }
        if let given = ProcessInfo.processInfo.environment["MODULETOOL_ROOT"], !given.isEmpty { return given }
        var folder = URL(filePath: here)
        var found: URL?
        while folder.pathText != "/" {
            if FileManager.default.fileExists(atPath: folder.pathText + "/Package.swift") { found = folder }
            folder.deleteLastPathComponent()
        }
        return found?.pathText ?? here
    }

    /// Reads the tree, after completing or undoing an interrupted command.
    ///
    /// - Throws: ``ModuleTree/TreeError`` when the tree cannot be read, ``ModuleEdits/EditError`` when the
    ///   interrupted command can neither be completed nor undone.
    func read() throws -> Tree {
        try recover()
        return try readAsItIs()
    }

    /// Reads the tree without recovering it, for the checks.
    ///
    /// - Throws: ``ModuleTree/TreeError`` when the tree cannot be read, or an edit of it was interrupted.
    func readUntouched() throws -> Tree {
        guard !Transaction.isPending(root: rootURL()) else {
            throw TreeError(
                .configuration, rootPath(), what: "an edit of this tree was interrupted or is still running",
                why: "the checks would judge a half-edited tree", fix: "Scripts/modules recover")
        }
        return try readAsItIs()
    }

    /// Completes or undoes an interrupted command, and reports it on standard error.
    @discardableResult
    func recover() throws -> Transaction.Recovery? {
        let recovery = try Transaction.recover(root: rootURL(), onWait: EditOptions.sayWaiting)
        if let recovery { Main.complain("note: \(recovery)") }
        return recovery
    }

    /// The root as a directory URL.
    func rootURL() -> URL { URL(filePath: rootPath(), directoryHint: .isDirectory) }

    private func readAsItIs() throws -> Tree {
        try TreeReader(root: rootPath(), caching: noCache ? .none : .user).read()
    }
}

extension URL {
    /// The path without a trailing slash.
    var pathText: String {
        let text = path(percentEncoded: false)
        return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
