/// The routes of Journey. Both may be called from outside the app.
public enum JourneyRoute {
    /// The page of journeys: a page, `[String: String]`.
    public static let main = "journey_vc"
    /// The journeys, newest first, as lines to read: `[String]`. At most `limit`, which is 1 or
    /// more; 10 when it is left out.
    public static let list = "journeys(/:limit<int>)"
}
