import Foundation

/// The storage of a Gate's records. Gate brings a ledger for one process. An app with several Gates registers one that
/// they can share, such as a database (``GateSettings/ledger``).
///
/// All methods are thread-safe.
public protocol GateLedger: Sendable {
    /// Runs `body` alone: it sees the effects of all earlier transactions, also of those in other processes. If it
    /// returns, its changes are atomically and durably saved. If it throws, nothing changes.
    ///
    /// - Throws: The error that `body` throws, unchanged, or an error that describes why the ledger could not be read
    ///   or written.
    func transaction<Result: Sendable>(
        _ body: @escaping @Sendable (any GateTransaction) throws -> Result
    ) async throws -> Result
}

/// The operations of a running transaction. It may be used only inside the body that it was passed to.
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

/// What a Gate remembers of a code.
public struct GateRecord: Codable, Sendable, Hashable {
    /// Why a code is no longer valid.
    public enum End: Codable, Sendable, Hashable {
        /// The code opened a gate.
        case used(GatePassage)
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
