import Foundation

/// A payment method.
public struct PayType: Sendable, Hashable {
    /// The identifier that ``PayTypeApiProtocol/select(_:)`` takes.
    public let id: String
    /// The name that the passenger reads.
    public let name: String

    /// Creates a payment method.
    public init(id: String, name: String) {
        (self.id, self.name) = (id, name)
    }
}

/// A passenger's selection and balance.
public struct PayWallet: Sendable, Hashable {
    /// The selected payment method; nil until the passenger selects one. If the passenger has selected one on another
    /// device that this app does not offer, it is not among ``PayTypeApiProtocol/payTypes``, and its name is its identifier.
    public let selected: PayType?
    /// The prepaid balance, in cents; nil if no payment method has one.
    public let balance: Int?
    /// The time of the operator's last answer, from which these values are, because the operator does not answer now; nil
    /// if the values are current.
    public let lastAnswer: Date?

    /// Creates a wallet.
    public init(selected: PayType?, balance: Int?, lastAnswer: Date? = nil) {
        (self.selected, self.balance, self.lastAnswer) = (selected, balance, lastAnswer)
    }
}

/// A ride whose fare is to be paid.
public struct PayTrip: Sendable, Hashable {
    /// The ID of the session of the passenger who took the ride. Nobody else pays.
    public let passenger: String
    /// The key of the passage through the gate where the ride began. By it, the operator recognises a repeated payment,
    /// and knows the station from the gate itself.
    public let key: String
    /// The key of the passage through the gate where the ride ended.
    public let exit: String
    /// The station where the passenger entered.
    public let from: String
    /// The station where the passenger left.
    public let to: String

    /// Creates a trip.
    public init(passenger: String, key: String, exit: String, from: String, to: String) {
        (self.passenger, self.key, self.exit, self.from, self.to) = (passenger, key, exit, from, to)
    }
}

/// A payment that the operator has taken.
public struct Payment: Sendable, Hashable {
    /// The fare that the operator computed, in cents.
    public let cents: Int
    /// The receipt, a single line.
    public let receipt: String

    /// Creates a payment.
    public init(cents: Int, receipt: String) {
        (self.cents, self.receipt) = (cents, receipt)
    }
}

/// An error thrown by PayType's Api.
public enum PayTypeApiError: Error, Sendable, Hashable {
    /// No payment method has this identifier.
    case unknown(id: String)
    /// The payment method cannot be used. Its name and the reason are strings for the passenger.
    case refused(name: String, reason: String)
    /// No user session exists, or another passenger has logged in.
    case notLoggedIn
    /// The passenger has not selected a payment method.
    case noneSelected
    /// The change could not be written to disk. The text says why and names the file.
    case notSaved(String)
    /// The operator's server could not be reached, or its answer was lost. The text tells the passenger why.
    case unreachable(String)
    /// The operator's server has answered, but not whether it has done what the request asked for: it has failed, or this
    /// version does not know its answer. The text tells the passenger why.
    case outcomeUnknown(String)
}
