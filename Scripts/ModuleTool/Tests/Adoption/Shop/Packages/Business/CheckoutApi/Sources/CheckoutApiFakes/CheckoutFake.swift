import CheckoutApi

/// A Checkout in which everything costs the same, for the tests of other modules. Only tests link this target.
public struct CheckoutFake: CheckoutApiProtocol {
    private let cents: Int?

    /// Creates a Checkout with one total.
    public init(total cents: Int?) { self.cents = cents }

    public func total(of products: [String]) async -> Int? { cents }
}
