/// Catalog's interface for other modules: the products of the shop.
///
/// All methods are thread-safe.
public protocol CatalogApiProtocol: Sendable {
    /// Returns the prices of products in cents, by product.
    ///
    /// - Throws: ``CatalogApiError`` if a price is not available.
    func prices(of products: [String]) async throws(CatalogApiError) -> [String: Int]

    /// Returns the price of a product in cents.
    ///
    /// - Throws: ``CatalogApiError``.
    @available(*, deprecated, message: "Use prices(of:).")
    func price(of product: String) async throws(CatalogApiError) -> Int
}

extension CatalogApiProtocol {
    @available(*, deprecated, message: "Use prices(of:).")
    public func price(of product: String) async throws(CatalogApiError) -> Int {
        guard let price = try await prices(of: [product])[product] else {
            throw .unavailable("\(product) has no price.")
        }
        return price
    }
}

/// An error thrown by Catalog's Api.
public enum CatalogApiError: Error, Sendable {
    /// The server did not answer, or does not know the product. The text says why.
    case unavailable(String)
}
