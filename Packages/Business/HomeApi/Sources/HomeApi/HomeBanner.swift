/// A banner on the home page.
public struct HomeBanner: Sendable, Hashable {
    /// The text that the passenger reads.
    public let title: String
    /// The URL of the web page that a tap on the banner opens.
    public let link: String
    /// Whether the banner came from the cache.
    public let isCached: Bool

    /// Creates a banner.
    public init(title: String, link: String, isCached: Bool) {
        (self.title, self.link, self.isCached) = (title, link, isCached)
    }
}

/// An error thrown by Home's Api.
public enum HomeApiError: Error, Sendable, Hashable {
    /// The banner could not be loaded. The text tells the passenger why.
    case noBanner(String)
}
