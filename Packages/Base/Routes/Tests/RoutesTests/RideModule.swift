import Links

// The modules of the seed's example. In an app, each type would be in its own package. No module imports
// Routes.

/// The names of the ride page's routes and notifications, declared in its Api package.
enum RideRoute {
    static let main = "ride_vc"
    static let refreshCode = "rideCodeRefreshed"
}

/// The names of the journey module's routes.
enum JourneyRoute {
    static let main = "journey_vc"
}

/// The names of the pay-type page's routes.
enum PayTypeRoute {
    static let main = "pay_type_vc"
}

/// The ride module, whose page is a plain value.
enum RideModule {
    static let links: [Link] = [
        .route(RideRoute.main) { _ in ["page": "RidePage"] }
    ]
}

/// The pay-type module.
enum PayTypeModule {
    static let links: [Link] = [
        .route(PayTypeRoute.main) { params in
            ["page": "PayTypePage", "selected": params.param("selected", "none")]
        }
    ]
}
