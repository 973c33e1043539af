import Links

/// The module of the cart and the demand list.
///
/// The module has two targets, one of which has state, and does not import Mediator.
enum CartDemandModule {
    static var links: [Link] {
        let cart = LinkTarget("cart") { Cart() }
        return [
            cart.action("fetchCartViewController") { cart, _ in cart.page },
            cart.action("fetchTabBarCartViewController") { cart, _ in
                cart.page.merging(["inTabBar": "true"]) { $1 }
            },
            cart.action("notFound") { _, params in
                ["page": "CartHelpPage", "asked": params.param("@action", "")]
            },
            .action("demand", "demandPage") { _ in ["page": "DemandPage"] },
        ]
    }

    /// The state that the cart's actions share. The mediator's cache keeps the state alive.
    private struct Cart {
        let page = ["page": "CartPage", "title": "Cart"]
    }
}
