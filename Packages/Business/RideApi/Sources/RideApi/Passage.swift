import Foundation

/// A code to show at a gate.
public struct RideTicket: Sendable, Hashable {
    /// The text that a gate reads.
    public let code: String
    /// The expiry time. Gates refuse the code from this time on.
    public let expires: Date

    /// Creates a ticket.
    public init(code: String, expires: Date) {
        (self.code, self.expires) = (code, expires)
    }
}

/// The result of passing a gate: the passenger entered or left.
public enum Passage: Sendable, Hashable {
    /// The gate let the passenger in.
    case entered(station: String)
    /// The gate let the passenger out.
    case left(Fare)
}

/// An event of a gate.
public enum GateEvent: String, Sendable, Hashable {
    /// The gate has opened.
    case opened
    /// The gate has closed behind the passenger.
    case closed
}

/// The fare of a completed ride.
public struct Fare: Sendable, Hashable {
    /// The station where the passenger entered.
    public let from: String
    /// The station where the passenger left.
    public let to: String
    /// The price of the ride, which the operator computed, in cents; nil when this app has no payment module.
    public let cents: Int?
    /// The receipt; nil when this app has no payment module.
    public let receipt: String?
    /// Whether the ride was saved among the passenger's journeys.
    public let isRecorded: Bool

    /// Creates a fare.
    public init(from: String, to: String, cents: Int?, receipt: String?, isRecorded: Bool) {
        (self.from, self.to, self.cents, self.receipt, self.isRecorded) = (
            from, to, cents, receipt, isRecorded
        )
    }
}
