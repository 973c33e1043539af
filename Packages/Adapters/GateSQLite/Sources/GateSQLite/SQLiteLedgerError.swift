import Foundation
import GRDB

/// The error for a database that cannot be opened, read or written.
public struct SQLiteLedgerError: Error, Sendable, CustomStringConvertible {
    /// The kind of error.
    public enum Code: Sendable, Hashable {
        /// The file cannot be created, read or written.
        case noAccess
        /// The file is damaged, or is not a database.
        case damaged
        /// The database belongs to another program, or to a newer version.
        case foreign
        /// Another process kept the database locked for too long.
        case busy
        /// The disk is full.
        case full
        /// SQLite reports another error.
        case other
    }

    /// The kind of error.
    public let code: Code
    /// One line with the file, the problem, its cause and the fix.
    public let description: String

    private init(_ code: Code, _ file: String, _ text: String) {
        self.code = code
        description = "\(file): \(text)"
    }

    init(_ error: any Error, file: String) {
        switch error {
        case SQLiteTransaction.Foreign.newer:
            self.init(
                .foreign, file,
                "a newer version of this program has written this ledger. An older one could damage it. Update this "
                    + "program, or use another file.")
        case SQLiteTransaction.Foreign.otherProgram:
            self.init(
                .foreign, file,
                "this database belongs to another program. A ledger needs a file of its own. Use another file."
            )
        case let error as DatabaseError: self.init(error, file)
        default:
            self.init(.other, file, "the ledger cannot be used: \(error). Fix the cause, and try again.")
        }
    }

    private init(_ error: DatabaseError, _ file: String) {
        let what = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_PERM, .SQLITE_READONLY, .SQLITE_AUTH:
            self.init(
                .noAccess, file,
                "the ledger cannot be opened or written: \(what). SQLite writes the file and two others beside it. Create "
                    + "the folder, and make the folder and the file writable for this user.")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(
                .damaged, file,
                "the ledger is damaged or not a database: \(what). A Gate that ignored this could open twice for one "
                    + "code. Restore the file from a copy, or move it away to begin a new ledger.")
        case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_PROTOCOL:
            self.init(
                .busy, file,
                "the ledger stayed locked: \(what). Transactions run one after another, and another process has not "
                    + "finished its own. Find that process with `fuser`, and end it.")
        case .SQLITE_FULL:
            self.init(
                .full, file,
                "the disk is full. Each code and each passage takes space. Free some space, and try again.")
        default:
            self.init(
                .other, file,
                "SQLite cannot use the ledger: \(what) (\(error.resultCode)). Check the disk and the file system."
            )
        }
    }
}
