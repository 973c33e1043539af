/// The routes of Home.
public enum HomeRoute {
    /// The route of the home page. It returns an `any Page`, and may be called from
    /// outside the app.
    public static let main = "home_vc"
}
