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

/// An error thrown by PayType's Api.
public enum PayTypeApiError: Error, Sendable, Hashable {
    /// No payment method has this identifier.
    case unknown(id: String)
    /// The payment method cannot be used. Its name and the reason are strings for the passenger.
    case refused(name: String, reason: String)
    /// No user session exists.
    case notLoggedIn
    /// The passenger has not selected a payment method.
    case noneSelected
    /// The change could not be written to disk. The text says why and names the file.
    case notSaved(String)
}
