import Foundation

/// What a passenger shows at a gate.
///
/// It holds no secret and says nothing about the passenger: it is a random name for what the
/// ``RideCodeIssuer`` knows. So there is nothing in it to forge, and a gate has to ask the issuer.
public struct RideCode: Sendable, Hashable {
    /// 26 characters out of `0...9` and `A...V` (RFC 4648's base32hex) that stand for 128 random bits. Fits a
    /// QR code's alphanumeric mode.
    public let text: String

    /// The moment from which on gates refuse it.
    public let expires: Date

    /// A code from its parts, such as a screen or a test needs. Only what an issuer made opens a gate.
    public init(text: String, expires: Date) {
        (self.text, self.expires) = (text, expires)
    }

    /// A text that nobody can guess and that is never made twice, from the system's cryptographic generator.
    static func randomText() -> String {
        let digits = String(UInt128.random(in: .min ... .max), radix: 32, uppercase: true)
        return String(repeating: "0", count: 26 - digits.count) + digits
    }
}
