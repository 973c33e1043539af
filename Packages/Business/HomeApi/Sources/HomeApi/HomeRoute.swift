/// The routes of Home.
public enum HomeRoute {
    /// The route of the home page. It returns the page's fields, `[String: String]`, and may be called from
    /// outside the app.
    public static let main = "home_vc"
}
