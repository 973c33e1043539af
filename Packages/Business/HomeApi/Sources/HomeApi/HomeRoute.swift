/// The routes of Home.
public enum HomeRoute {
    /// The home page: a page, `[String: String]`. May be called from outside the app.
    public static let main = "home_vc"
}
