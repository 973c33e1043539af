// A responder that owns two targets, made on demand with state of their own. It imports no mediator.

/// The cart's and the demand list's module.
enum CartDemandModule {
    static let targets:
        [String: @Sendable () -> [String: @Sendable ([String: any Sendable]) throws -> (any Sendable)?]] = [
            "cart": {
                let title = "Cart"  // the target's state lives as long as its table
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
