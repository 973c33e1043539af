import Foundation
import GateLedger
import Storage

/// The default ledger: a document in the app's storage, for a Gate that shares its records with no other Gate.
/// Thread-safe.
///
/// The document contains at most one open record for each passenger, and at most `limit` ended records.
final class DocumentLedger: GateLedger {
    /// The stored data: the records, keyed by the text of their codes.
    typealias Records = [String: GateRecord]

    private let saved: Document<Records>
    private let limit: Int

    /// - Parameter limit: The maximum number of ended codes to keep. If there are more, the ledger forgets the ones
    ///   that expire first.
    init(in storage: Storage, limit: Int = 500) throws(StorageError) {
        saved = try storage.document(
            "gate", version: 2, default: [:],
            migrations: [
                // In version 1, no record ends as `reported`, so the report of a passage may be repeated.
                Migration(from: 1) { (records: Records) in records }
            ])
        self.limit = limit
    }

    func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (any GateTransaction) throws -> Result
    ) async throws -> Result {
        do {
            return try saved.update { records in
                let transaction = DocumentTransaction(records)
                let result = try body(transaction)
                guard transaction.hasChanges else { throw Unchanged(result: result) }
                records = transaction.records
                removeOldest(from: &records)
                return result
            }
        } catch let unchanged as Unchanged<Result> {
            return unchanged.result
        }
    }

    private func removeOldest(from records: inout Records) {
        let ended = records.values.filter { $0.end != nil }
        for record in ended.sorted(by: { $0.code.expires < $1.code.expires }).dropLast(limit) {
            records[record.code.text] = nil
        }
    }
}

/// Thrown to end an update that changes nothing. If the update's closure returned instead, the update would write the
/// document and wait for the disk.
private struct Unchanged<Result: Sendable>: Error {
    let result: Result
}

private final class DocumentTransaction: GateTransaction {
    private(set) var records: DocumentLedger.Records
    private(set) var hasChanges = false

    init(_ records: DocumentLedger.Records) {
        self.records = records
    }

    func record(_ text: String) -> GateRecord? { records[text] }

    func openRecord(of passenger: String) -> GateRecord? {
        records.values.first { $0.end == nil && $0.passenger == passenger }
    }

    func save(_ record: GateRecord) {
        records[record.code.text] = record
        hasChanges = true
    }

    func forget(expiredBy date: Date) {
        records = records.filter { date < $0.value.code.expires }
        hasChanges = true
    }
}
