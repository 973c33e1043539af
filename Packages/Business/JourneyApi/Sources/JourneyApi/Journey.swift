import Foundation

/// A completed ride.
public struct Journey: Sendable, Hashable, Codable {
    /// The station where the passenger entered.
    public let from: String
    /// The station where the passenger left.
    public let to: String
    /// The time at which the gate opened that let the passenger out.
    public let date: Date
    /// The fare that the operator took, in cents; nil if none was taken.
    public let cents: Int?

    /// Creates a journey.
    public init(from: String, to: String, date: Date, cents: Int?) {
        (self.from, self.to, self.date, self.cents) = (from, to, date, cents)
    }
}

/// An error thrown by Journey's Api.
public enum JourneyApiError: Error, Sendable, Hashable {
    /// No user session exists.
    case notLoggedIn
    /// The journey could not be written to disk. The text says why and names the file.
    case notSaved(String)
    /// The statement could not be downloaded or read. The text tells the passenger why.
    case unreachable(String)
}
