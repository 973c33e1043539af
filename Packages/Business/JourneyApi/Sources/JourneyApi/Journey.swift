import Foundation

/// A ride that was taken.
public struct Journey: Sendable, Hashable, Codable {
    /// The station where the passenger went in.
    public let from: String
    /// The station where the passenger came out.
    public let to: String
    /// When the passenger came out.
    public let date: Date
    /// What it cost, in cents.
    public let cents: Int

    /// A ride of these parts.
    public init(from: String, to: String, date: Date, cents: Int) {
        (self.from, self.to, self.date, self.cents) = (from, to, date, cents)
    }
}

/// Why Journey did not do what it was asked for.
public enum JourneyApiError: Error, Sendable, Hashable {
    /// No user session exists.
    case notLoggedIn
    /// The ride could not be written; in words, with the file.
    case notSaved(String)
}
