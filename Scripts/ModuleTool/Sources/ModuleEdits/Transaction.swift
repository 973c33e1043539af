import Foundation
import ModuleBytes
import ModuleKit
import ModuleTree

/// Makes all changes of a command or none, even if the process is killed.
///
/// The new files are staged in the folder `.modules/edit`, and a journal there lists all changes, with the digests of
/// each file before and after. Then each old file moves into the folder, and the staged file to its place. Removing the
/// journal completes the command. Each editing command first undoes an interrupted command. A lock lets only one
/// command at a time edit the tree.
package struct Transaction {
    /// The changes of one command. An entry's index is part of the names of its files in the folder of the edit.
    private struct Journal: Codable {
        struct Entry: Codable {
            let path: String
            /// The digest before the change; nil for a new file.
            let old: String?
            /// The digest after the change; nil for a file or folder that is removed.
            let new: String?
        }

        let command: String
        var entries: [Entry] = []
    }

    /// The command whose changes were undone at the start; nil if no command was interrupted.
    package private(set) var undone: String?

    private let root: URL
    /// Called before each write to the disk, with a description of the write.
    private let step: (String) throws -> Void
    private let lock: FolderLock

    private static let folder = ".modules"
    private static let edit = folder + "/edit"
    private static let journal = edit + "/journal.json"
    private static func staged(_ index: Int) -> String { "\(edit)/new-\(index)" }
    private static func kept(_ index: Int) -> String { "\(edit)/old-\(index)" }

    /// Whether a command was interrupted in this tree or is editing it now.
    package static func isPending(root: URL) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: journal).path)
    }

    /// Whether an interrupted command has left files, even if it has not changed the tree yet.
    package static func hasRemains(root: URL) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: edit).path)
    }

    /// Takes the tree's lock, and undoes an interrupted command. If a command is still running, waits for it to end.
    ///
    /// - Parameter onWait: Called once if the call has to wait for another command.
    package init(
        root: URL, step: @escaping (String) throws -> Void = FaultInjection.hook(), onWait: () -> Void = {}
    ) throws {
        (self.root, self.step) = (root, step)
        lock = try Self.lock(root: root, onWait: onWait)
        undone = try Interruption.held { () throws(Diagnostic) in try recover() }
        try Interruption.check(
            undone.map { "'\($0)' was undone, and nothing else was changed" } ?? Self.nothing)
    }

    /// Takes the lock that every edit of the tree holds.
    ///
    /// - Parameter onWait: Called once if the call has to wait for a command that edits the tree.
    package static func lock(root: URL, onWait: () -> Void = {}) throws(Diagnostic) -> FolderLock {
        do {
            let folder = root.appending(path: Self.folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Hides the folder from git in trees whose own .gitignore does not list it.
            let ignore = folder.appending(path: ".gitignore")
            if !FileManager.default.fileExists(atPath: ignore.path) { try Data("*\n".utf8).write(to: ignore) }
            return try FolderLock(folder, onWait: onWait)
        } catch {
            throw Self.failed("the tree cannot be written to", error, at: root.path)
        }
    }

    /// Makes all changes or none: none after an interruption, which it throws.
    ///
    /// - Parameter command: The command as it appears in the message about an interrupted command.
    package func apply(_ changes: [Change], command: String) throws {
        try Interruption.held {
            var journal = Journal(command: command)
            do {
                try make(changes, &journal)
                try remove(Self.journal)
            } catch {
                try undo(journal)
                if error is Diagnostic || error is Interruption.Requested { throw error }
                throw Self.failed("nothing was changed, because writing failed", error)
            }
            Interruption.setPlanning(false)
            // The next command repeats a failed cleanup.
            try? remove(Self.edit)
        }
    }

    /// Stages changes, adds them to the journal, and makes them.
    private func make(_ changes: [Change], _ journal: inout Journal) throws {
        if changes.isEmpty { return }
        try FileManager.default.createDirectory(at: url(Self.edit), withIntermediateDirectories: true)
        for change in changes {
            let old = try digest(of: change.path)
            if case .write = change, url(change.path).isLink || old == Self.folderDigest {
                throw Diagnostic(
                    .refused, at: change.path,
                    "is a \(url(change.path).isLink ? "symbolic link" : "folder").",
                    why: "An edit would replace it with a file.", fix: "Put a file there, or move it away.")
            }
            try stage(change, as: Self.staged(journal.entries.count))
            try Interruption.check(Self.nothing)
            journal.entries.append(
                .init(path: change.path, old: old, new: try digest(of: Self.staged(journal.entries.count))))
        }
        try step("write \(Self.journal)")
        try JSONEncoder().encode(journal).write(to: url(Self.journal), options: .atomic)
        for (index, entry) in journal.entries.enumerated() {
            guard try digest(of: entry.path) == entry.old else {
                throw Diagnostic(
                    .refused, at: entry.path,
                    "somebody changed this file while '\(journal.command)' was running.",
                    why: "The command would overwrite that change.", fix: "Run the command again.")
            }
            if entry.old != nil { try move(entry.path, to: Self.kept(index)) }
            if entry.new != nil { try move(Self.staged(index), to: entry.path) }
            try Interruption.check(Self.nothing)
        }
    }

    /// The effect of an interruption.
    private static let nothing = "nothing was changed"

    /// Writes the new contents of a file into the folder of the edit. A new script becomes executable.
    private func stage(_ change: Change, as path: String) throws {
        try step("stage \(change.path)")
        switch change {
        case .write(let target, let contents):
            try Data(contents.utf8).write(to: url(path))
            let old = try? FileManager.default.attributesOfItem(atPath: url(target).path)[.posixPermissions]
            if let mode = old ?? (contents.hasPrefix("#!") ? 0o755 : nil) {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url(path).path)
            }
        case .copy(_, let source): try FileManager.default.copyItem(at: url(source), to: url(path))
        case .remove: break
        }
    }

    private func recover() throws(Diagnostic) -> String? {
        guard Self.isPending(root: root) else {
            try? remove(Self.edit)
            return nil
        }
        guard !GitRepository.tracks(Self.journal, root: root.path) else {
            throw Diagnostic(
                .refused, at: Self.journal, "git tracks the journal of an interrupted command.",
                why: "It comes from another clone, and undoing its changes could overwrite files of yours.",
                fix: "Delete \(Self.edit), and run: git rm -r --cached \(Self.folder)")
        }
        let data = FileManager.default.contents(atPath: url(Self.journal).path) ?? Data()
        guard let journal = try? JSONDecoder().decode(Journal.self, from: data),
            journal.entries.allSatisfy({ Self.mayEdit($0.path) })
        else {
            throw Diagnostic(
                .configuration, at: Self.journal, "the journal of an interrupted command cannot be read.",
                why: "It is damaged, or another version of this tool wrote it.",
                fix: "Revert the changes in 'git status' that you do not want, and delete \(Self.edit).")
        }
        try undo(journal)
        return journal.command
    }

    /// Whether a command may have written this path: one in the tree, but not git's or this tool's own.
    private static func mayEdit(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        return !parts.contains { ["", ".", ".."].contains($0) }
            && ![".git", folder].contains(parts[0].lowercased())
    }

    /// Restores the files of all entries, unless somebody else changed one of them.
    private func undo(_ journal: Journal) throws(Diagnostic) {
        do {
            for (index, entry) in journal.entries.enumerated()
            where entry.old == nil || exists(Self.kept(index)) {
                let current = try digest(of: entry.path)
                if exists(Self.kept(index)), entry.new == nil, current == Self.folderDigest,
                    !isEmpty(entry.path)
                {
                    throw Diagnostic(
                        .configuration, at: entry.path,
                        "'\(journal.command)' was interrupted, and somebody has made this folder again since.",
                        why: "Undoing the command would replace the folder.",
                        fix: "Move the folder away, and run this command again.")
                }
                let isOurs = journal.entries.contains {
                    $0.path == entry.path && [$0.old, $0.new].contains(current)
                }
                guard current == nil || isOurs else {
                    throw Diagnostic(
                        .configuration, at: entry.path,
                        "'\(journal.command)' was interrupted, and somebody has changed this file since.",
                        why: "Undoing the command would overwrite that change.",
                        fix: """
                            Revert the change ('git diff' shows it) and run this command again; or delete \
                            \(Self.edit) to keep all files as they are now.
                            """)
                }
            }
            for (index, entry) in journal.entries.enumerated().reversed() {
                if exists(Self.kept(index)) {
                    try move(Self.kept(index), to: entry.path)
                } else if entry.old == nil {
                    try remove(entry.path)
                    // The folders that the command created are empty now.
                    var folder = url(entry.path).deletingLastPathComponent()
                    while unsafe rmdir(folder.path) == 0 || errno == ENOENT {
                        folder.deleteLastPathComponent()
                    }
                }
            }
            try remove(Self.journal)
            try remove(Self.edit)
        } catch {
            throw error as? Diagnostic
                ?? Self.failed(
                    "'\(journal.command)' could not be undone, and the tree is half-edited now", error,
                    at: root.path)
        }
    }

    private static func failed(_ what: String, _ error: any Error, at place: String? = nil) -> Diagnostic {
        Diagnostic(
            .environment, at: place, "\(what): \((error as NSError).localizedDescription).",
            fix: "Check the folder's permissions and the free disk space, and run the command again.")
    }
}

/// The file operations. Each file is moved by a single rename, so no file is ever half-written.
extension Transaction {
    private func url(_ path: String) -> URL { root.appending(path: path) }

    /// Whether there is a file, a folder, or a symbolic link, even one that leads nowhere.
    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url(path).path) || url(path).isLink
    }

    private func isEmpty(_ folder: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: url(folder).path))?.isEmpty == true
    }

    private static let folderDigest = "folder"

    /// A digest of a file's contents; nil when it does not exist.
    private func digest(of path: String) throws -> String? {
        guard exists(path) else { return nil }
        if let target = try? FileManager.default.destinationOfSymbolicLink(atPath: url(path).path) {
            return "link to " + target
        }
        let isFolder = (try? FileManager.default.contentsOfDirectory(atPath: url(path).path)) != nil
        return isFolder ? Self.folderDigest : ContentDigest(Array(try Data(contentsOf: url(path)))).text
    }

    /// Moves a file or folder, replacing a file at `target`.
    private func move(_ path: String, to target: String) throws {
        try step("move \(path) to \(target)")
        try FileManager.default.createDirectory(
            at: url(target).deletingLastPathComponent(), withIntermediateDirectories: true)
        let status = unsafe rename(url(path).path, url(target).path)
        guard status == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    private func remove(_ path: String) throws {
        guard exists(path) else { return }
        try step("remove \(path)")
        try FileManager.default.removeItem(at: url(path))
    }
}

extension URL {
    /// Whether this path is a symbolic link, even one that leads nowhere.
    var isLink: Bool { (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) != nil }
}
