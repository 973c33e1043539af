import Foundation

/// Changes files together or not at all, whenever the process is killed.
///
/// A journal with the old and the new contents is synced to disk before the first file changes, and deleted
/// after the last one has. A command that finds a journal goes on from there: forward to the new state, or
/// back to the old one when the disk will not let it. A lock keeps two commands out of each other's way.
/// All of it lies in `.modules/` at the tree's root, which git does not see.
package struct Transaction: ~Copyable {
    /// What became of a command that was interrupted.
    package struct Recovery: Sendable, Equatable, CustomStringConvertible {
        /// The command, as it was called: `new-module Wallet`.
        package let command: String
        /// Whether its changes were completed; otherwise they were undone.
        package let isCompleted: Bool

        /// For people.
        package var description: String {
            "'\(command)' had been interrupted; its changes are now \(isCompleted ? "completed" : "undone")."
        }
    }

    /// What became of the command before, if it was interrupted.
    package let recovery: Recovery?

    private let files: TransactionFiles
    private let lock: TreeLock

    /// Whether a command was interrupted in this tree, or is at work there now. A state in between is no
    /// state to check.
    package static func isPending(root: URL) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: TransactionFiles.journal).path)
    }

    /// Completes or undoes what an interrupted command left, if there is anything. Waits for a command that
    /// is at work.
    ///
    /// - Parameter onWait: Called once when another command is at work in the tree.
    /// - Returns: What was done; nil when there was nothing to do.
    /// - Throws: ``EditError`` when neither can be done, as when somebody changed a file meanwhile.
    @discardableResult
    package static func recover(root: URL, onWait: () -> Void = {}) throws -> Recovery? {
        guard isPending(root: root) else { return nil }
        return try begin(root: root, beforeStep: FaultInjection.hook(), onWait: onWait).recovery
    }

    /// Takes the tree's lock, recovers the tree, runs `work` and lets the lock go.
    ///
    /// - Parameters:
    ///   - onWait: Called once when another command is at work in the tree.
    ///   - work: Reads the tree, plans its changes and makes them with ``apply(_:command:)``.
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

    /// Makes all changes, or none.
    ///
    /// - Parameter command: What is being done, to be told when it is interrupted.
    /// - Throws: ``EditError`` when a change could not be made; what had been changed is undone then.
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
            // What a command left that was killed before its first change or after its last one.
            try reported { try files.sweep() }
            return nil
        }
        let journal = try Journal(data)
        for entry in journal.entries where try reported({ try files.state(of: entry) }) == .foreign {
            throw EditError(
                .usage, at: entry.path,
                "'\(journal.command)' was interrupted, and somebody has changed this since.",
                why: "Completing or undoing the command would lose that change.",
                mend: """
                    Put back what stood there ('git diff' shows it) and run this command again; or delete \
                    \(TransactionFiles.journal) to keep every file as it is now.
                    """)
        }
        let failure = try finish(journal, files)
        return Recovery(command: journal.command, isCompleted: failure == nil)
    }

    /// Goes forward, or back when that fails.
    ///
    /// - Returns: Why it went back; nil when it went forward.
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
                why: "The tree is in between now; \(TransactionFiles.journal) knows the way out.",
                mend: "See to the folder's permissions and free space, and run any command of this tool.")
        }
        // The work is done; what cannot be swept now, the next command sweeps.
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
            .environment, "nothing was changed, for a file could not be: \(reason).",
            mend: "See to the folder's permissions and free space, and run the command again.")
    }
}
