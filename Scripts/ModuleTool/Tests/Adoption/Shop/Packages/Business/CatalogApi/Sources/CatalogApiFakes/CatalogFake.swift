import CatalogApi

/// A Catalog with fixed prices, for the tests of other modules. Only tests link this target.
public struct CatalogFake: CatalogApiProtocol {
    private let prices: [String: Int]

    /// Creates a Catalog of products with their prices in cents.
    public init(_ prices: [String: Int]) { self.prices = prices }

    public func price(of product: String) async throws(CatalogApiError) -> Int {
        guard let price = prices[product] else { throw .unavailable("\(product) has no price.") }
        return price
    }
}
