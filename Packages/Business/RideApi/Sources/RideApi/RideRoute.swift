/// The routes of Ride.
public enum RideRoute {
    /// The page with the code: a page, `[String: String]`. May be called from outside the app.
    public static let main = "ride_vc"
}

/// The notifications of Ride.
public enum RideNotification {
    /// The code at hand is to be replaced by a new one. Post it without contents; Ride observes it.
    public static let refreshCode = "RideNotificationRefreshCode"
}
