import Foundation

/// A code that a passenger shows at a gate.
///
/// The code is a random key to an entry of its ``RideCodeIssuer``. The text contains no information about the
/// passenger and nothing that could be forged, so a gate needs the issuer to verify a code.
public struct RideCode: Sendable, Hashable {
    /// 128 random bits as 26 characters from `0...9` and `A...V` (RFC 4648's base32hex). The text fits a QR
    /// code's alphanumeric mode.
    public let text: String

    /// The expiry time. Gates refuse the code from this time on.
    public let expires: Date

    /// Creates a code from its parts, for a screen or a test. Gates accept only codes that an issuer has issued.
    public init(text: String, expires: Date) {
        (self.text, self.expires) = (text, expires)
    }

    /// Returns an unguessable, unique text from the system's cryptographic random number generator.
    static func randomText() -> String {
        let digits = String(UInt128.random(in: .min ... .max), radix: 32, uppercase: true)
        return String(repeating: "0", count: 26 - digits.count) + digits
    }
}
