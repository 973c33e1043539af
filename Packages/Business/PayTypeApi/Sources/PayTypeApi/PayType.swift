/// A way to pay.
public struct PayType: Sendable, Hashable {
    /// What it is known by.
    public let id: String
    /// What the passenger reads.
    public let name: String

    /// A way to pay of these parts.
    public init(id: String, name: String) {
        (self.id, self.name) = (id, name)
    }
}

/// Why PayType did not do what it was asked for.
public enum PayTypeApiError: Error, Sendable, Hashable {
    /// There is no pay type of this identifier.
    case unknown(id: String)
    /// The pay type cannot be used; its name and why, for the passenger.
    case refused(name: String, reason: String)
    /// No user session exists.
    case notLoggedIn
    /// Nothing is picked yet.
    case noneSelected
    /// What was to be kept could not be written; in words, with the file.
    case notSaved(String)
}
