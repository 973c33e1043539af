import ArgumentParser
import Foundation
import ModuleEdits
import ModuleTree

/// Which tree a command is about.
struct TreeOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The tree's root folder.",
            discussion: "By default the repository of the launcher, else the outermost package around here.",
            valueName: "folder"))
    var root: String?

    @Flag(help: "Read every file anew, and keep nothing for the next run.")
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

    /// Reads the tree, after completing or undoing what an interrupted command left in it.
    ///
    /// - Throws: ``ModuleTree/TreeError`` when it cannot be read, ``ModuleEdits/EditError`` when the
    ///   interrupted command can neither be completed nor undone.
    func read() throws -> Tree {
        try recover()
        return try readAsItIs()
    }

    /// Reads the tree for a verdict, which is about the tree as somebody left it.
    ///
    /// - Throws: ``ModuleTree/TreeError`` when it cannot be read, or an edit of it was interrupted.
    func readUntouched() throws -> Tree {
        guard !Transaction.isPending(root: rootURL()) else {
            throw TreeError(
                .configuration, rootPath(), what: "an edit of this tree was interrupted, or is under way",
                why: "half of an edit is no state to judge", mend: "Scripts/modules recover")
        }
        return try readAsItIs()
    }

    /// Completes or undoes what an interrupted command left, and says so.
    @discardableResult
    func recover() throws -> Transaction.Recovery? {
        let recovery = try Transaction.recover(root: rootURL(), onWait: EditOptions.sayWaiting)
        if let recovery { Main.complain("note: \(recovery)") }
        return recovery
    }

    /// The root as a folder.
    func rootURL() -> URL { URL(filePath: rootPath(), directoryHint: .isDirectory) }

    private func readAsItIs() throws -> Tree {
        try TreeReader(root: rootPath(), caching: noCache ? .none : .user).read()
    }
}

extension URL {
    /// The path without a slash at its end.
    var pathText: String {
        let text = path(percentEncoded: false)
        return text.count > 1 && text.hasSuffix("/") ? String(text.dropLast()) : text
    }
}
