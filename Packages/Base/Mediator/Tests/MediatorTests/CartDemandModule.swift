/// The module of the cart and the demand list.
///
/// It offers two targets that are created on demand, with their own state, and does not import Mediator.
enum CartDemandModule {
    static let targets:
        [String: @Sendable () -> [String: @Sendable ([String: any Sendable]) throws -> (any Sendable)?]] = [
            "cart": {
                let title = "Cart"  // state that lives as long as the target's table
                return [
                    "fetchCartViewController": { _ in ["page": "GLCartVC", "title": title] },
                    "fetchTabBarCartViewController": { _ in
                        ["page": "GLCartVC", "title": title, "inTabBar": "true"]
                    },
                    "notFound": { params in
                        ["page": "GLCartHelpVC", "asked": params["@action"] as? String ?? ""]
                    },
                ]
            },
            "demand": {
                ["fetchMprxDemandViewController": { _ in ["page": "GLMprxDemandVC"] }]
            },
        ]
}
