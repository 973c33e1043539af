/// Catalog's interface for other modules: the products of the shop.
///
/// All methods are thread-safe.
public protocol CatalogApiProtocol: Sendable {
    /// Returns the price of a product in cents.
    ///
    /// - Throws: ``CatalogApiError``.
    func price(of product: String) async throws(CatalogApiError) -> Int
}

/// An error thrown by Catalog's Api.
public enum CatalogApiError: Error, Sendable {
    /// The server did not answer, or does not know the product. The text says why.
    case unavailable(String)
}
