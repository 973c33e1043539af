import Foundation

/// An app's settings for its Gate. The app registers them in its center, before the modules.
public struct GateSettings: Sendable {
    /// The validity of a ride code, in seconds. With 0 or less, codes are never valid.
    public let codeLifetime: TimeInterval
    /// The clock that determines when codes expire; nil for the system's.
    public let now: (@Sendable () -> Date)?
    /// The ledger; nil for the Gate's own, a document in the app's storage.
    public let ledger: (any GateLedger)?

    /// Creates settings.
    public init(
        codeLifetime: TimeInterval = 60, now: (@Sendable () -> Date)? = nil, ledger: (any GateLedger)? = nil
    ) {
        (self.codeLifetime, self.now, self.ledger) = (codeLifetime, now, ledger)
    }
}
