import Foundation
import GRDB
import GateApi
import GateLedger

/// The operations on the table `code` in one transaction.
struct SQLiteTransaction: GateTransaction {
    /// The SQLite application ID, which identifies this package's files. The bytes spell "Gate".
    private static let application = 0x4761_7465
    private static let version = 2

    let database: Database

    /// Creates the table in an empty database, or converts a ledger of version 1.
    ///
    /// - Throws: ``Foreign`` if another program or a newer version created the database.
    static func prepare(_ database: Database) throws {
        let application = try Int.fetchOne(database, sql: "PRAGMA application_id")
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version")
        if application == Self.application {
            switch version {
            case Self.version: break
            // The table is the same, but in version 1 no record ends as `reported`.
            case 1: try database.execute(sql: "PRAGMA user_version = \(Self.version)")
            default: throw Foreign.newer
            }
            return
        }
        let tables = try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master")
        guard application == 0, version == 0, tables == 0 else { throw Foreign.otherProgram }
        // Dates are seconds since 2001, as `Date` stores them, so that they come back unchanged. The unique index also
        // ensures that each passenger has at most one open code.
        try database.execute(
            sql: """
                CREATE TABLE code (
                    text TEXT PRIMARY KEY, passenger TEXT NOT NULL, expires REAL NOT NULL, ended TEXT
                ) STRICT, WITHOUT ROWID;
                CREATE UNIQUE INDEX open ON code (passenger) WHERE ended IS NULL;
                CREATE INDEX expiry ON code (expires);
                PRAGMA application_id = \(Self.application);
                PRAGMA user_version = \(Self.version);
                """)
    }

    func record(_ text: String) throws -> GateRecord? {
        try fetch("text = ?", text)
    }

    func openRecord(of passenger: String) throws -> GateRecord? {
        try fetch("passenger = ? AND ended IS NULL", passenger)
    }

    func save(_ record: GateRecord) throws {
        let ended = try record.end.map { String(decoding: try JSONEncoder().encode($0), as: UTF8.self) }
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO code VALUES (?, ?, ?, ?) ON CONFLICT (text) DO UPDATE SET
                passenger = excluded.passenger, expires = excluded.expires, ended = excluded.ended
                """)
        try statement.execute(
            arguments: [
                record.code.text, record.passenger, record.code.expires.timeIntervalSinceReferenceDate, ended,
            ])
    }

    func forget(expiredBy date: Date) throws {
        try database.cachedStatement(sql: "DELETE FROM code WHERE expires <= ?")
            .execute(arguments: [date.timeIntervalSinceReferenceDate])
    }

    private func fetch(_ condition: String, _ argument: String) throws -> GateRecord? {
        let statement = try database.cachedStatement(sql: "SELECT * FROM code WHERE \(condition)")
        guard let row = try Row.fetchOne(statement, arguments: [argument]) else { return nil }
        let ended: String? = row["ended"]
        do {
            return GateRecord(
                code: GateCode(
                    text: row["text"], expires: Date(timeIntervalSinceReferenceDate: row["expires"])),
                passenger: row["passenger"],
                end: try ended.map { try JSONDecoder().decode(GateRecord.End.self, from: Data($0.utf8)) })
        } catch {
            throw DatabaseError(
                resultCode: .SQLITE_CORRUPT, message: "the record of the code \(argument) cannot be decoded")
        }
    }

    /// Why this version cannot use a database as its ledger.
    enum Foreign: Error {
        case otherProgram, newer
    }
}
