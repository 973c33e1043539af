/// The routes of Ride.
public enum RideRoute {
    /// The route of the page that shows the ride code. It returns an `any Page`, and
    /// may be called from outside the app.
    public static let main = "ride_vc"
}

/// The action of Ride that may be called from outside the app, such as by the link `metro://ride/stations`.
public enum RideAction {
    /// The name of the target.
    public static let target = "ride"
    /// The action that returns the stations in the order of the line, `[String]`.
    public static let stations = "stations"
}

/// The notifications of Ride.
public enum RideNotification {
    /// Posting this notification makes Ride replace all current codes. Post it without an object or user
    /// info.
    public static let refreshCode = "RideNotificationRefreshCode"
}
