import Foundation

/// Changes files atomically, even if the process is killed.
///
/// A journal with the old and the new contents is flushed to disk before the first file changes, and deleted
/// after the last change. A command that finds a journal completes its changes, or undoes them if the disk
/// does not allow that. A lock lets only one command at a time edit the tree. The journal and the lock are in
/// `.modules/` at the tree's root, which git ignores.
package struct Transaction: ~Copyable {
    /// The outcome of recovering an interrupted command.
    package struct Recovery: Sendable, Equatable, CustomStringConvertible {
        /// The interrupted command: `new-module Wallet`.
        package let command: String
        /// Whether the command's changes were completed; otherwise they were undone.
        package let isCompleted: Bool

        /// A sentence for people.
        package var description: String {
            "'\(command)' had been interrupted; its changes are now \(isCompleted ? "completed" : "undone")."
        }
    }

    /// The outcome of recovering the previous command; nil if it was not interrupted.
    package let recovery: Recovery?

    private let files: TransactionFiles
    private let lock: TreeLock

    /// Whether a command was interrupted in this tree or is editing it now. The checks refuse such a tree.
    package static func isPending(root: URL) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: TransactionFiles.journal).path)
    }

    /// Completes or undoes an interrupted command, if there is one. If a command is still running, waits for
    /// it to end.
    ///
    /// - Parameter onWait: Called once if the call has to wait for another command.
    /// - Returns: The outcome; nil when no command was interrupted.
    /// - Throws: ``EditError`` when the command can be neither completed nor undone, for example because
    ///   somebody has changed one of its files.
    @discardableResult
    package static func recover(root: URL, onWait: () -> Void = {}) throws -> Recovery? {
        guard isPending(root: root) else { return nil }
        return try begin(root: root, beforeStep: FaultInjection.hook(), onWait: onWait).recovery
    }

    /// Takes the tree's lock, recovers the tree, runs `work` and releases the lock.
    ///
    /// - Parameters:
    ///   - onWait: Called once if the call has to wait for another command.
    ///   - work: Reads the tree, plans the changes and makes them with ``apply(_:command:)``.
    package static func run<Result>(
        root: URL, onWait: () -> Void = {}, _ work: (borrowing Transaction) throws -> Result
    ) throws -> Result {
        let transaction = try begin(root: root, beforeStep: FaultInjection.hook(), onWait: onWait)
        return try work(transaction)
    }

    static func begin(
        root: URL, beforeStep: @escaping (String) throws -> Void = { _ in }, onWait: () -> Void = {}
    ) throws -> Transaction {
        let lock = try TreeLock.acquire(root: root, onWait: onWait)
        let files = TransactionFiles(root: root, beforeStep: beforeStep)
        return Transaction(recovery: try recover(files), files: files, lock: lock)
    }

    private init(recovery: Recovery?, files: TransactionFiles, lock: consuming TreeLock) {
        (self.recovery, self.files) = (recovery, files)
        self.lock = lock
    }

    /// Makes all changes or none.
    ///
    /// - Parameter command: The command as it appears in the message about an interruption.
    /// - Throws: ``EditError`` when a change could not be made; the changes made before it are then undone.
    package func apply(_ changes: [Change], command: String) throws {
        let journal = try Self.reported {
            let journal = try files.journal(of: changes, command: command)
            try files.write(journal.data, to: TransactionFiles.journal, by: TransactionFiles.newJournal)
            try files.sync(folders: [TransactionFiles.folder, ""])
            return journal
        }
        if let failure = try Self.finish(journal, files) { throw Self.nothingChanged(because: failure) }
    }

    private static func recover(_ files: TransactionFiles) throws -> Recovery? {
        let data = try reported { try files.contents(TransactionFiles.journal) }
        guard let data else {
            // A command killed before its first change or after its last one may have left temporary files.
            try reported { try files.sweep() }
            return nil
        }
        let journal = try Journal(data)
        for entry in journal.entries where try reported({ try files.state(of: entry) }) == .foreign {
            throw EditError(
                .usage, at: entry.path,
                "'\(journal.command)' was interrupted, and somebody has changed this file since.",
                why: "Completing or undoing the command would overwrite that change.",
                fix: """
                    Revert the change ('git diff' shows it) and run this command again; or delete \
                    \(TransactionFiles.journal) to keep all files as they are now.
                    """)
        }
        let failure = try finish(journal, files)
        return Recovery(command: journal.command, isCompleted: failure == nil)
    }

    /// Applies the journal, or reverts it if a change fails.
    ///
    /// - Returns: The error that caused the revert; nil when the journal was applied.
    private static func finish(_ journal: Journal, _ files: TransactionFiles) throws -> (any Error)? {
        var failure: (any Error)?
        do {
            do {
                try files.goForward(journal)
            } catch let killed as TransactionFiles.Killed {
                throw killed
            } catch {
                failure = error
                try files.goBack(journal)
            }
            try files.remove(TransactionFiles.journal)
            try files.sync(folders: [TransactionFiles.folder])
        } catch let killed as TransactionFiles.Killed {
            throw killed
        } catch {
            throw EditError(
                .environment, at: files.root.path,
                "'\(journal.command)' could neither be completed nor undone: \(failure ?? error).",
                why: "The tree is half-edited now; \(TransactionFiles.journal) allows a later recovery.",
                fix: "Check the folder's permissions and the free disk space. Run: Scripts/modules recover")
        }
        // The tree is consistent now. If the cleanup fails, the next command repeats it.
        do { try files.sweep() } catch let killed as TransactionFiles.Killed { throw killed } catch {
            return failure
        }
        return failure
    }

    private static func reported<Result>(_ work: () throws -> Result) throws -> Result {
        do {
            return try work()
        } catch let killed as TransactionFiles.Killed {
            throw killed
        } catch let error as EditError {
            throw error
        } catch {
            throw nothingChanged(because: error)
        }
    }

    private static func nothingChanged(because error: any Error) -> EditError {
        let reason = (error as? PosixError)?.description ?? (error as NSError).localizedDescription
        return EditError(
            .environment, "nothing was changed, because writing failed: \(reason).",
            fix: "Check the folder's permissions and the free disk space, and run the command again.")
    }
}
