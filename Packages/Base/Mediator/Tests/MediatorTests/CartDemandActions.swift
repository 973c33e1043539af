import Mediator

/// What callers may ask of the cart and the demand list.
extension Mediator {
    /// The cart's page; the caller decides how to show it.
    func cartViewController() throws -> Page {
        try performTarget(
            "cart", action: "fetchCartViewController", shouldCacheTarget: true, returning: Page.self)
    }

    /// The cart's page as it stands in a tab bar.
    func tabBarCartViewController() throws -> Page {
        try performTarget(
            "cart", action: "fetchTabBarCartViewController", shouldCacheTarget: true, returning: Page.self)
    }

    /// The demand list's page.
    func mprxDemandViewController() throws -> Page {
        try performTarget("demand", action: "fetchMprxDemandViewController", returning: Page.self)
    }
}

/// The same, shown by the means that the caller passes.
extension Mediator {
    /// Shows the cart; the caller passes how.
    ///
    /// Returns whether there was a page to show.
    func pushCartViewController(push: (Page) -> Void) -> Bool {
        guard let page = try? cartViewController() else { return false }
        push(page)
        return true
    }

    /// Shows the demand list; the caller passes how.
    func pushMprxDemandViewController(push: (Page) -> Void) -> Bool {
        guard let page = try? mprxDemandViewController() else { return false }
        push(page)
        return true
    }
}
