import Mediator

/// Typed calls to the cart's and the demand list's actions.
extension Mediator {
    /// The cart's page, for the caller to show.
    func cartViewController() throws -> Page {
        try performTarget(
            "cart", action: "fetchCartViewController", shouldCacheTarget: true, as: Page.self)
    }

    /// The cart's page for a tab bar.
    func tabBarCartViewController() throws -> Page {
        try performTarget(
            "cart", action: "fetchTabBarCartViewController", shouldCacheTarget: true, as: Page.self)
    }

    /// The demand list's page.
    func demandViewController() throws -> Page {
        try performTarget("demand", action: "demandPage", as: Page.self)
    }
}

/// Functions that find and show the pages.
extension Mediator {
    /// Shows the cart with the caller's `push`. Returns whether there was a page to show.
    func pushCartViewController(push: (Page) -> Void) -> Bool {
        guard let page = try? cartViewController() else { return false }
        push(page)
        return true
    }

    /// Shows the demand list with the caller's `push`. Returns whether there was a page to show.
    func pushDemandViewController(push: (Page) -> Void) -> Bool {
        guard let page = try? demandViewController() else { return false }
        push(page)
        return true
    }
}
