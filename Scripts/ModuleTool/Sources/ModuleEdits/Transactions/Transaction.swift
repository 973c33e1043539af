import Foundation
import ModuleTree

/// Makes all changes of a command or none, even if the process is killed.
///
/// Before the first change, a rename creates the folder `.modules/edit`. It contains a journal with the old and the
/// new contents of every file, and receives the folders that the command removes. After the last change, another
/// rename removes the folder, which completes the command. Each editing command first undoes an interrupted command.
/// A lock lets only one command at a time edit the tree.
package struct Transaction {
    /// The changes of one command, with the contents that are needed to undo them.
    private struct Journal: Codable {
        struct Entry: Codable {
            let path: String
            /// The file's old contents; nil for a new file.
            var old: Data?
            /// The file's new contents; nil for a folder that is removed.
            var new: Data?
        }

        let command: String
        let entries: [Entry]
    }

    /// The command whose changes were undone at the start; nil if no command was interrupted.
    package private(set) var undone: String?

    private let root: URL
    /// Called before each write to the disk, with a description of the write.
    private let step: (String) throws -> Void
    private let lock: FolderLock

    private static let folder = ".modules"
    private static let edit = folder + "/edit"
    /// The names of the edit's folder before the edit starts and after it is complete.
    private static let (new, done) = (edit + ".new", edit + ".done")
    private static let journal = "/journal.json"

    /// Whether a command was interrupted in this tree or is editing it now.
    package static func isPending(root: URL) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: edit).path)
    }

    /// Takes the tree's lock, and undoes an interrupted command. If a command is still running, waits for it to end.
    ///
    /// - Parameter onWait: Called once if the call has to wait for another command.
    package init(
        root: URL, step: @escaping (String) throws -> Void = FaultInjection.hook(), onWait: () -> Void = {}
    ) throws {
        (self.root, self.step) = (root, step)
        lock = try Self.lock(root, onWait)
        undone = try recover()
    }

    private static func lock(_ root: URL, _ onWait: () -> Void) throws(ToolError) -> FolderLock {
        do {
            let folder = root.appending(path: Self.folder)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // Hides the folder from git in trees whose own .gitignore does not list it.
            let ignore = folder.appending(path: ".gitignore")
            if !FileManager.default.fileExists(atPath: ignore.path) { try Data("*\n".utf8).write(to: ignore) }
            return try FolderLock(folder, onWait: onWait)
        } catch {
            throw ToolError(
                .environment, at: root.path,
                "the tree cannot be written to: \((error as NSError).localizedDescription).", fix: Self.disk)
        }
    }

    private static let disk =
        "Check the folder's permissions and the free disk space, and run the command again."

    /// Makes all changes or none.
    ///
    /// - Parameters:
    ///   - command: The command as it appears in the message about an interruption.
    ///   - derived: Returns the changes of files that are generated from the tree. Called when the other changes are
    ///     made, and part of the same edit.
    package func apply(
        _ changes: [Change], command: String, derived: () throws -> [Change] = { [] }
    ) throws(ToolError) {
        if changes.isEmpty { return }
        try Self.refuseLinks(changes, in: root)
        var journal: Journal
        do {
            journal = Journal(command: command, entries: try changes.map { try entry(for: $0) })
            try FileManager.default.createDirectory(at: url(Self.new), withIntermediateDirectories: true)
            try JSONEncoder().encode(journal).write(to: url(Self.new + Self.journal))
            try move(Self.new, to: Self.edit)
        } catch {
            throw Self.nothingChanged(because: error)
        }
        do {
            for (index, entry) in journal.entries.enumerated() { try make(entry, index) }
            let more = try derived()
            if !more.isEmpty {
                try Self.refuseLinks(more, in: root)
                let longer = Journal(
                    command: command, entries: journal.entries + (try more.map { try entry(for: $0) }))
                try write(try JSONEncoder().encode(longer), to: Self.edit + Self.journal)
                let first = journal.entries.count
                journal = longer
                for (index, entry) in longer.entries.enumerated().dropFirst(first) { try make(entry, index) }
            }
            try move(Self.edit, to: Self.done)
        } catch {
            try undo(journal)
            throw error as? ToolError ?? Self.nothingChanged(because: error)
        }
        // The next command repeats a failed cleanup.
        try? remove(Self.done)
    }

    private static func refuseLinks(_ changes: [Change], in root: URL) throws(ToolError) {
        for case .write(let path, _) in changes where root.appending(path: path).isLink {
            throw ToolError(
                .refused, at: path, "is a symbolic link.",
                why: "An edit would replace the link with a copy of its file.",
                fix: "Replace the link with a file, or edit the file that it points to.")
        }
    }

    private func entry(for change: Change) throws -> Journal.Entry {
        switch change {
        case .write(let path, let contents):
            .init(path: path, old: try self.contents(of: path), new: Data(contents.utf8))
        case .copy(let path, let source): .init(path: path, new: try Data(contentsOf: url(source)))
        case .removeFolder(let path): .init(path: path)
        }
    }

    private func make(_ entry: Journal.Entry, _ index: Int) throws {
        if let new = entry.new {
            try write(new, to: entry.path)
        } else {
            try move(entry.path, to: Self.trash(index))
        }
    }

    private static func trash(_ index: Int) -> String { "\(edit)/\(index)" }

    private func recover() throws -> String? {
        for path in [Self.new, Self.done] { try? remove(path) }
        guard Self.isPending(root: root) else { return nil }
        let data = FileManager.default.contents(atPath: url(Self.edit + Self.journal).path) ?? Data()
        guard let journal = try? JSONDecoder().decode(Journal.self, from: data) else {
            throw ToolError(
                .configuration, at: Self.edit + Self.journal,
                "the journal of an interrupted command cannot be read.",
                why: "It is damaged, or another version of this tool wrote it.",
                fix: "Revert the changes in 'git status' that you do not want, and delete \(Self.edit).")
        }
        try undo(journal)
        return journal.command
    }

    private func undo(_ journal: Journal) throws(ToolError) {
        do {
            for entry in journal.entries where entry.new != nil {
                let current = try contents(of: entry.path)
                guard current == entry.old || current == entry.new else {
                    throw ToolError(
                        .configuration, at: entry.path,
                        "'\(journal.command)' was interrupted, and somebody has changed this file since.",
                        why: "Undoing the command would overwrite that change.",
                        fix: """
                            Revert the change ('git diff' shows it) and run this command again; or delete \
                            \(Self.edit) to keep all files as they are now.
                            """)
                }
            }
            for (index, entry) in journal.entries.enumerated().reversed() { try undo(entry, index) }
            try move(Self.edit, to: Self.done)
            try remove(Self.done)
        } catch let error as ToolError {
            throw error
        } catch {
            throw ToolError(
                .environment, at: root.path,
                "'\(journal.command)' could not be undone: \((error as NSError).localizedDescription).",
                why: "The tree is half-edited now.",
                fix: "Check the folder's permissions and the free disk space. Run: Scripts/modules recover")
        }
    }

    private func undo(_ entry: Journal.Entry, _ index: Int) throws {
        if entry.new == nil {
            if exists(Self.trash(index)) { try move(Self.trash(index), to: entry.path) }
        } else if let old = entry.old {
            if try contents(of: entry.path) != old { try write(old, to: entry.path) }
        } else {
            try remove(entry.path)
            // The folders that the command created are empty now.
            var folder = url(entry.path).deletingLastPathComponent()
            while unsafe rmdir(folder.path) == 0 || errno == ENOENT { folder.deleteLastPathComponent() }
        }
    }

    private static func nothingChanged(because error: any Error) -> ToolError {
        ToolError(
            .environment,
            "nothing was changed, because writing failed: \((error as NSError).localizedDescription).",
            fix: disk)
    }
}

/// The file operations. Each file is written or moved by a single rename, so no file is ever half-written.
extension Transaction {
    private func url(_ path: String) -> URL { root.appending(path: path) }

    private func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: url(path).path)
    }

    /// The contents of a file, or nil when it does not exist.
    private func contents(of path: String) throws -> Data? {
        exists(path) ? try Data(contentsOf: url(path)) : nil
    }

    /// Writes a file inside `.modules/edit`, and moves it to its place. A new script becomes executable.
    private func write(_ data: Data, to path: String) throws {
        try step("write \(path)")
        let new = url(Self.edit + "/file")
        try data.write(to: new)
        let old = try? FileManager.default.attributesOfItem(atPath: url(path).path)[.posixPermissions]
        if let mode = old ?? (data.starts(with: "#!".utf8) ? 0o755 : nil) {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: new.path)
        }
        let folder = url(path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try move(Self.edit + "/file", to: path)
    }

    /// Moves a file or folder, replacing a file at `target`.
    private func move(_ path: String, to target: String) throws {
        try step("move \(path) to \(target)")
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
