import Foundation
import GateApi
import GateLedger
import GateSQLite
import TestSupport

/// A ledger's file, in a temporary folder that is deleted with this value.
struct LedgerFile {
    let folder: TemporaryFolder
    var url: URL { folder.file("gate.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    func open() throws -> SQLiteLedger { try SQLiteLedger(file: url) }
}

extension GateRecord {
    init(_ text: String, of passenger: String, expires: Date = .distantFuture, end: End? = nil) {
        self.init(code: GateCode(text: text, expires: expires), passenger: passenger, end: end)
    }

    static func passage(of passenger: String, key: String) -> End {
        .used(
            GatePassage(
                passenger: passenger, station: "Zoo", date: Date(timeIntervalSinceReferenceDate: 0.1),
                key: key))
    }
}

extension SQLiteLedger {
    func save(_ records: GateRecord...) async throws {
        try await transaction { ledger in for record in records { try ledger.save(record) } }
    }

    func record(_ text: String) async throws -> GateRecord? {
        try await transaction { try $0.record(text) }
    }

    /// Opens a gate as the Gate module does, and returns whether this attempt opened it.
    func open(_ text: String, key: String) async throws -> Bool {
        try await transaction { ledger in
            guard var record = try ledger.record(text), record.end == nil else { return false }
            record.end = GateRecord.passage(of: record.passenger, key: key)
            try ledger.save(record)
            return true
        }
    }
}
