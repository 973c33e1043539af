/// The routes of WebContainer.
public enum WebContainerRoute {
    /// The route of the page that shows the URL in the parameter `url`. If the parameter `backward` is true, the
    /// page uses the old container. The route returns an `any Page`, and can only be called
    /// from inside the app, because outside callers must not choose the web page that the app shows.
    public static let page = "web_vc"
}
