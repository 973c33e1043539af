import ApiCenter
import CheckoutApi
import Lifecycle
import Links

/// Registers Checkout. The package's only public declaration.
public struct CheckoutModule: Module, LinkAnswering {
    public let version = "0.1.0"

    public init() {}

    public func register(in center: ApiCenter) {
        center.register(CheckoutApiProtocol.self, scope: .once) { CheckoutService(center: $0) }
    }

    public func links(in center: ApiCenter) -> [Link] {
        [
            .route(CheckoutRoute.main, from: .outside, on: MainActor.shared) { [weak center] parameters in
                let product = try parameters.required("product", as: String.self)
                return center.map { CheckoutPage(product: product, center: $0) }
            }
        ]
    }
}
