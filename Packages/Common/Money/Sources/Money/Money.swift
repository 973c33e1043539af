/// An amount of money. Every module uses this type to format amounts for passengers: `€2.50`.
///
/// Apis and stored documents use plain cents. Code that shows an amount converts it to this type.
public struct Money: Sendable, Hashable, CustomStringConvertible {
    /// The amount, in cents.
    public let cents: Int

    /// Creates an amount from cents, which may be negative.
    public init(cents: Int) { self.cents = cents }

    /// The amount in euros, always with two digits for the cents: `€0.05`, `-€12.00`.
    public var description: String {
        let (euros, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(cents < 0 ? "-" : "")€\(euros).\(rest < 10 ? "0" : "")\(rest)"
    }
}
