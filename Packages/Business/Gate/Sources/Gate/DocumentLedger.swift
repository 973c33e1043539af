import Foundation
import GateApi
import Storage

/// The ledger of a Gate that is the only one: a document in the app's storage. Thread-safe.
///
/// The document contains one open record for each passenger, and `limit` ended ones.
final class DocumentLedger: GateLedger {
    /// The stored data: the records, keyed by the text of their codes.
    typealias Records = [String: GateRecord]

    private let saved: Document<Records>
    private let limit: Int

    /// - Parameter limit: The maximum number of ended codes. Above it, the ledger forgets the codes that expire first.
    init(in storage: Storage, limit: Int = 500) throws(StorageError) {
        saved = try storage.document("gate", version: 1, default: [:])
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
        guard ended.count > limit else { return }
        for record in ended.sorted(by: { $0.code.expires < $1.code.expires }).dropLast(limit) {
            records[record.code.text] = nil
        }
    }
}

/// Ends an update without changes by throwing, because an update that returns waits until the disk has written the
/// document.
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
