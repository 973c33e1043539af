/// The routes of User.
public enum UserRoute {
    /// The route of the page on which a passenger logs in and out. It returns an `any Page`, and may be called from
    /// outside the app.
    public static let main = "user_vc"
}
