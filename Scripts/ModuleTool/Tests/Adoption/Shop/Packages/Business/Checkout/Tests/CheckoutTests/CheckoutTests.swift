import ApiCenter
import ApiCenterTesting
import CatalogApi
import CatalogApiFakes
import Checkout
import CheckoutApi
import Links
import Pages
import Routes
import Testing

@Suite("Checkout")
struct CheckoutTests {
    let center = ApiCenter()
    let checkout: any CheckoutApiProtocol

    init() throws {
        center.register(CatalogApiProtocol.self) { CatalogFake(["Tea": 200, "Cake": 350]) }
        CheckoutModule().register(in: center)
        checkout = try center.requireApi(type: CheckoutApiProtocol.self)
    }

    @Test("The total is the sum of the prices")
    func total() async {
        #expect(await checkout.total(of: ["Tea", "Cake"]) == 550)
        #expect(await checkout.total(of: ["Tea", "Car"]) == nil)
    }

    @Test("Without a catalog, there is no total")
    func withoutCatalog() async {
        await center.withOverrides {
            $0.removeApi(api: CatalogApiProtocol.self)
        } operation: {
            #expect(await checkout.total(of: ["Tea"]) == nil)
        }
        #expect(await checkout.total(of: ["Tea"]) == 200)
    }

    @Test("A link from outside opens the page of a product")
    func link() async throws {
        let routes = Routes()
        try routes.install(CheckoutModule().links(in: center))
        let result = await routes.openUrl("checkout/Tea")
        let page = try #require(result.value as? any Page, "\(result)")
        #expect(await page.title == "Checkout")
    }

    @Test("The page shows the price, and goes back after the purchase")
    @MainActor
    func page() async throws {
        let link = try #require(CheckoutModule().links(in: center).first(.route(CheckoutRoute.main)))
        let page = try #require(try await link.call(["product": "Tea"]) as? any Page)
        #expect(try await page.contents().first == .text("Tea: 200 cents"))
        let step = try await page.perform(PageTap("buy"))
        guard case .back = step.place else { throw WrongStep(step: step) }
    }
}

private struct WrongStep: Error { let step: PageStep }

/// An app's own test can override an Api of the shared center for one test.
@Suite("Checkout in the shared center")
struct SharedCenterTests {
    @Test(
        "The trait overrides an Api for one test",
        .apis {
            $0.register(CatalogApiProtocol.self) { CatalogFake(["Tea": 100]) }
            CheckoutModule().register(in: $0)
        })
    func sale() async throws {
        let checkout = try ApiCenter.shared.requireApi(type: CheckoutApiProtocol.self)
        #expect(await checkout.total(of: ["Tea"]) == 100)
    }
}
