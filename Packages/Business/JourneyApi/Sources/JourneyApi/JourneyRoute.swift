/// The routes of Journey, which may all be called from outside the app.
public enum JourneyRoute {
    /// The route of the journeys page. It returns an `any Page`.
    public static let main = "journey_vc"
    /// The route of the passenger's journeys. It returns at most `limit` lines of text, `[String]`, newest first.
    /// `limit` must be at least 1; its default is 10.
    public static let list = "journeys(/:limit<int>)"
}
