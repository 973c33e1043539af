/// The routes of ServiceOpen.
public enum ServiceOpenRoute {
    /// The route of the page on which the passenger opens the service. It returns an
    /// `any Page`, and may be called from outside the app.
    public static let main = "service_open_vc"
}
