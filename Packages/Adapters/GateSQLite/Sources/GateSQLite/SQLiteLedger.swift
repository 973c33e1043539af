import Foundation
import GRDB
import GateLedger
import Synchronization

/// A ledger in an SQLite database, which the Gates of several processes on one machine can share.
///
/// A transaction that has returned survives a crash of the process and a power cut. All operations are thread-safe.
public final class SQLiteLedger: GateLedger {
    private let file: String
    let database: DatabaseQueue

    /// Opens the database, or creates it. Its folder must exist, on a local disk.
    ///
    /// - Parameters:
    ///   - file: The database. SQLite keeps two more files beside it, whose names end in `-wal` and `-shm`.
    ///   - patience: The maximum time in seconds that a transaction waits for other processes.
    /// - Throws: ``SQLiteLedgerError`` if the file cannot be opened, or is not a ledger of this version.
    public init(file: URL, patience: TimeInterval = 10) throws(SQLiteLedgerError) {
        self.file = file.path
        let end = Date() + patience
        while true {
            do {
                database = try Self.open(file.path, patience: patience)
                return
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY && Date() < end {
                // SQLite does not wait when several processes turn on WAL mode for a new database.
                Thread.sleep(forTimeInterval: 0.001)
            } catch {
                throw SQLiteLedgerError(error, file: file.path)
            }
        }
    }

    /// Waits until no other transaction is running, in this process or another, and runs `body`.
    ///
    /// - Throws: The error that `body` throws, `CancellationError` if the task was cancelled, or ``SQLiteLedgerError``.
    ///   In that case nothing has changed, unless the disk failed during the commit.
    public func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (any GateTransaction) throws -> Result
    ) async throws -> Result {
        do {
            // GRDB begins with BEGIN IMMEDIATE, so that no other process writes between this transaction's reads and
            // its writes. If nothing changes, nothing is written.
            return try await database.write { try body(SQLiteTransaction(database: $0)) }
        } catch let error as DatabaseError {
            throw SQLiteLedgerError(error, file: file)
        }
    }

    private static func open(_ file: String, patience: TimeInterval) throws -> DatabaseQueue {
        var configuration = Configuration()
        // SQLite's own timeout waits up to 100 ms between attempts. Meanwhile, a busy process would take every turn.
        let start = Mutex(TimeInterval(0))
        configuration.busyMode = .callback { attempts in
            let now = ProcessInfo.processInfo.systemUptime
            let began = start.withLock { start in
                if attempts == 0 { start = now }
                return start
            }
            guard now < began + patience else { return false }
            Thread.sleep(forTimeInterval: 0.001)
            return true
        }
        let queue = try DatabaseQueue(path: file, configuration: configuration)
        try queue.write(SQLiteTransaction.prepare)
        try queue.writeWithoutTransaction { database in
            guard try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL") == "wal" else {
                throw DatabaseError(
                    resultCode: .SQLITE_CANTOPEN, message: "this disk does not support WAL mode")
            }
            // A commit returns only after it has reached the disk. With NORMAL, which many programs use with WAL, a
            // power cut could undo the last commits. On Apple's systems, only a full fsync empties the disk's own
            // cache.
            try database.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = ON")
        }
        return queue
    }
}
