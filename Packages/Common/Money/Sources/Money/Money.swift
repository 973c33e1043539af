/// A sum of money as a passenger reads it, the same in every module: `€2.50`.
///
/// Apis and documents have plain cents; whoever shows them goes through this.
public struct Money: Sendable, Hashable, CustomStringConvertible {
    /// The sum, in cents.
    public let cents: Int

    /// A sum of so many cents.
    public init(cents: Int) { self.cents = cents }

    /// Euros and, always with two digits, cents: `€0.05`, `-€12.00`.
    public var description: String {
        let (euros, rest) = cents.magnitude.quotientAndRemainder(dividingBy: 100)
        return "\(cents < 0 ? "-" : "")€\(euros).\(rest < 10 ? "0" : "")\(rest)"
    }
}
