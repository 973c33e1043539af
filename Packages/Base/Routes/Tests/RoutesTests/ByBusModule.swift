import Links

// The modules of the seed's example. In an app, each type would be in its own package. No module imports
// Routes.

/// The names of the ride page's routes and notifications, declared in its Api package.
enum BybusRoute {
    static let fetchMainVC = "bybus_vc"
    static let notificationRefreshQRCode = "ZYHMBybusRouteNotificationRefreshQRCode"
}

/// The names of the journey module's routes.
enum JourneyRoute {
    static let fetchMainVC = "journey_vc"
}

/// The names of the pay-type page's routes.
enum PayTypeRoute {
    static let fetchMainVC = "pay_type_vc"
}

/// The ride module, whose page is a plain value.
enum ZYHMByBusModule {
    static let links: [Link] = [
        .route(BybusRoute.fetchMainVC) { _ in ["page": "ZYHMByBusVC"] }
    ]
}

/// The pay-type module.
enum PayTypeModule {
    static let links: [Link] = [
        .route(PayTypeRoute.fetchMainVC) { params in
            ["page": "ZYHMPayTypeVC", "selected": params.param("selected", "none")]
        }
    ]
}
