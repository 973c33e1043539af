import Foundation
import GateApi

/// An app's settings for its Gate. The app registers them in its center before it registers the modules.
public struct GateSettings: Sendable {
    /// How long a ride code stays valid, in seconds. With 0 or less, codes are never valid.
    public let codeLifetime: TimeInterval
    /// The clock that determines when codes expire; nil for the system clock.
    public let now: (@Sendable () -> Date)?
    /// The ledger; nil for Gate's default ledger, a document in the app's storage.
    public let ledger: (any GateLedger)?

    /// Reports each passage to the operator; nil for none. Called before Gate returns the passage. If it throws, Gate throws
    /// `GateApiError.notSaved`, the caller repeats the call, and Gate repeats the report. Because a crash may lose the record
    /// that a report succeeded, the operator may get the same report again.
    public let report: (@Sendable (GatePassage) async throws -> Void)?

    /// Creates settings.
    public init(
        codeLifetime: TimeInterval = 60, now: (@Sendable () -> Date)? = nil, ledger: (any GateLedger)? = nil,
        report: (@Sendable (GatePassage) async throws -> Void)? = nil
    ) {
        (self.codeLifetime, self.now, self.ledger, self.report) = (codeLifetime, now, ledger, report)
    }
}
