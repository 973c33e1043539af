import ApiCenter
import CatalogApi
import CheckoutApi

/// Checkout's IMP: one object, shared by all callers.
final class CheckoutService: CheckoutApiProtocol {
    private weak let center: ApiCenter?

    init(center: ApiCenter) { self.center = center }

    func total(of products: [String]) async -> Int? {
        guard let catalog = center?.api(type: CatalogApiProtocol.self) else { return nil }
        var total = 0
        for product in products {
            guard let price = try? await catalog.price(of: product) else { return nil }
            total += price
        }
        return total
    }
}
