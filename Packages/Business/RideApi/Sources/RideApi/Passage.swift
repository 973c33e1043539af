import Foundation

/// A code to show at a gate.
public struct RideTicket: Sendable, Hashable {
    /// What the gate reads.
    public let code: String
    /// When it stops being good.
    public let expires: Date

    /// A ticket of these parts.
    public init(code: String, expires: Date) {
        (self.code, self.expires) = (code, expires)
    }
}

/// What a gate did.
public enum Passage: Sendable, Hashable {
    /// It let the passenger in.
    case entered(station: String)
    /// It let the passenger out.
    case left(Fare)
}

/// What a ride came to.
public struct Fare: Sendable, Hashable {
    /// The station where the passenger went in.
    public let from: String
    /// The station where the passenger came out.
    public let to: String
    /// What the ride costs, in cents.
    public let cents: Int
    /// The receipt; nil when nothing that pays is in this app.
    public let receipt: String?
    /// Whether the ride is among the passenger's journeys.
    public let isRecorded: Bool

    /// A fare of these parts.
    public init(from: String, to: String, cents: Int, receipt: String?, isRecorded: Bool) {
        (self.from, self.to, self.cents, self.receipt, self.isRecorded) = (
            from, to, cents, receipt, isRecorded
        )
    }
}
