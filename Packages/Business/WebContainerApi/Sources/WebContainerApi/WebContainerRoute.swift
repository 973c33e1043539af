/// The routes of WebContainer.
public enum WebContainerRoute {
    /// The page for the parameter `url`; with `backward`, in the old container: a page, `[String: String]`.
    /// Local, for what comes from outside may not choose what the app shows.
    public static let page = "web_vc"
}
