import Foundation

/// A code that a passenger shows at a gate, valid for one passage and a short time.
///
/// The code is a random key to one of the Gate's records. Its text contains no information about the passenger and
/// nothing that could be forged, so only the Gate can verify the code.
public struct GateCode: Codable, Sendable, Hashable {
    /// 128 random bits as 26 characters from `0...9` and `A...V` (RFC 4648's base32hex). The text fits a QR code's
    /// alphanumeric mode.
    public let text: String
    /// The expiry time. Gates refuse the code from this time on.
    public let expires: Date

    /// Creates a code from its parts. Gates accept only codes that a Gate has issued.
    public init(text: String, expires: Date) {
        (self.text, self.expires) = (text, expires)
    }
}

/// A passenger's passage through a gate.
public struct GatePassage: Codable, Sendable, Hashable {
    /// The passenger.
    public let passenger: String
    /// The station of the gate that opened.
    public let station: String
    /// The time at which the gate opened.
    public let date: Date
    /// The key of the attempt that opened the gate.
    public let key: String

    /// Creates a passage.
    public init(passenger: String, station: String, date: Date, key: String) {
        (self.passenger, self.station, self.date, self.key) = (passenger, station, date, key)
    }
}
