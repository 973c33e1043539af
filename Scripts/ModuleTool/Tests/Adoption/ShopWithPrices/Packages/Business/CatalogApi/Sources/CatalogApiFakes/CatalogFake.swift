import CatalogApi

/// A Catalog with fixed prices, for the tests of other modules. Only tests link this target.
public struct CatalogFake: CatalogApiProtocol {
    private let prices: [String: Int]

    /// Creates a Catalog of products with their prices in cents.
    public init(_ prices: [String: Int]) { self.prices = prices }

    public func prices(of products: [String]) async throws(CatalogApiError) -> [String: Int] {
        if let product = products.first(where: { prices[$0] == nil }) {
            throw .unavailable("\(product) has no price.")
        }
        return prices.filter { products.contains($0.key) }
    }
}
