/// The routes of ServiceOpen.
public enum ServiceOpenRoute {
    /// The page on which the service is opened: a page, `[String: String]`. May be called from outside the app.
    public static let main = "service_open_vc"
}
