// Packages of the seed's example, as one file each would hold them. None of them imports routes.

/// The names of the ride page's routes and notifications, as its Api package declares them.
enum BybusRoute {
    static let fetchMainVC = "bybus_vc"
    static let notificationRefreshQRCode = "ZYHMBybusRouteNotificationRefreshQRCode"
}

/// The same for the journeys.
enum JourneyRoute {
    static let fetchMainVC = "journey_vc"
}

/// The same for the pay-type page.
enum PayTypeRoute {
    static let fetchMainVC = "pay_type_vc"
}

/// The ride module: its routes are a table over standard types.
enum ZYHMByBusModule {
    static let routes: [String: @Sendable ([String: any Sendable]) throws -> (any Sendable)?] = [
        BybusRoute.fetchMainVC: { _ in ["page": "ZYHMByBusVC"] }
    ]
}

/// The pay-type module.
enum PayTypeModule {
    static let routes: [String: @Sendable ([String: any Sendable]) throws -> (any Sendable)?] = [
        PayTypeRoute.fetchMainVC: { params in
            ["page": "ZYHMPayTypeVC", "selected": params["selected"] as? String ?? "none"]
        }
    ]
}
