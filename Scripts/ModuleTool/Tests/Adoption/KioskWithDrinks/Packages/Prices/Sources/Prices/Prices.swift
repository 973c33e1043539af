/// A drink and its price.
public struct Drink: Codable, Hashable, Sendable {
    public let name: String
    /// In euros.
    public let price: Int

    public init(name: String, price: Int) { (self.name, self.price) = (name, price) }
}

public func price(of drink: String) -> Int { drink == "Tea" ? 2 : 3 }
