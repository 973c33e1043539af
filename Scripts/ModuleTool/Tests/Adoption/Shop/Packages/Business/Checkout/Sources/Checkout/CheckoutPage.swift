import ApiCenter
import CheckoutApi
import Pages

/// The page on which a customer buys one product.
struct CheckoutPage: Page {
    let product: String
    let center: ApiCenter
    let title = "Checkout"

    func contents() async throws -> [PageContent] {
        let checkout = try center.requireApi(type: CheckoutApiProtocol.self)
        guard let total = await checkout.total(of: [product]) else {
            return [.text("\(product) is not available.")]
        }
        return [.text("\(product): \(total) cents"), .button("Buy", action: "buy")]
    }

    func perform(_ tap: PageTap) async throws -> PageStep {
        guard tap.action == "buy" else { throw tap.unknownAction }
        return .back()
    }
}
