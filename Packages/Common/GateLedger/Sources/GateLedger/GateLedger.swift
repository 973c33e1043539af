import Foundation
import GateApi

/// The storage of a Gate's records. Gate includes a ledger for a single process. Several Gates need a ledger that they
/// can share, such as a database, which the app passes as ``GateSettings/ledger``.
///
/// All methods are thread-safe.
public protocol GateLedger: Sendable {
    /// Runs `body` in isolation: it sees the effects of all earlier transactions, including those in other processes.
    /// If `body` returns, its changes are saved atomically and durably. If `body` throws, nothing changes.
    ///
    /// - Throws: The error that `body` throws, unchanged, or an error that describes why the ledger could not be read
    ///   or written.
    func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (any GateTransaction) throws -> Result
    ) async throws -> Result
}

/// A running transaction. It may be used only inside the `body` that receives it.
public protocol GateTransaction {
    /// The record of the code with exactly this text; nil if the ledger has no such record.
    func record(_ text: String) throws -> GateRecord?

    /// The passenger's only record without a ``GateRecord/end``; nil if all their records have one.
    func openRecord(of passenger: String) throws -> GateRecord?

    /// Adds a record, or replaces the one with the same text.
    func save(_ record: GateRecord) throws

    /// Removes the records whose codes expired at this time or earlier.
    func forget(expiredBy date: Date) throws
}

/// A Gate's record of a code.
public struct GateRecord: Codable, Sendable, Hashable {
    /// Why a code is no longer valid.
    public enum End: Codable, Sendable, Hashable {
        /// The code opened a gate. The operator has no report of the passage yet, or the Gate makes no reports.
        case used(GatePassage)
        /// The code opened a gate, and the operator has the report of the passage.
        case reported(GatePassage)
        /// The passenger was issued a newer code.
        case replaced
        /// The code was expired early, or had expired when the passenger was issued a newer one.
        case expired
    }

    /// The code.
    public let code: GateCode
    /// The passenger to whom the code was issued.
    public let passenger: String
    /// Why the code is no longer valid; nil if the code is valid until it expires.
    public var end: End?

    /// Creates a record.
    public init(code: GateCode, passenger: String, end: End? = nil) {
        (self.code, self.passenger, self.end) = (code, passenger, end)
    }
}
