/// Checkout's interface for other modules: what a purchase costs.
///
/// All methods are thread-safe.
public protocol CheckoutApiProtocol: Sendable {
    /// Returns the price of several products in cents.
    ///
    /// - Returns: The sum; nil if a price is not available.
    func total(of products: [String]) async -> Int?
}

/// The routes of Checkout.
public enum CheckoutRoute {
    /// The route of the checkout page, which may be called from outside the app. It returns an `any Page`.
    public static let main = "checkout/:product"
}
